/** The page that explains every problem: `homepage` of package.json + docs/problems.md, which a test compares. */
export const PROBLEMS_PAGE = 'https://hooklatch.example/docs/problems.md'

/** RFC 9457: `type` is a URI, and here the address of the paragraph about it. */
export const problemType = (word: string): string => `${PROBLEMS_PAGE}#${word}`

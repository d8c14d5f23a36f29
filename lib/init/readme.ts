import type { Sample } from './sample.ts'

/** Twenty lines: what is where, and what to type. */
export const readme = (name: string, { source, table }: Sample): string => `# ${name}

Receives webhooks with Hooklatch. \`sources.ts\` says who may post, \`worker.ts\` is your code, \`app.ts\` is the stack.

\`\`\`sh
npm install
npm start                       # everything on this machine, your own tables too; no AWS account needed
npx hooklatch send ${source}${' '.repeat(Math.max(1, 13 - source.length))}# in another terminal: a signed event
npx hooklatch events            # what became of it; npx hooklatch show ID tells more
npm test                        # worker.test.ts, on an AWS in memory
\`\`\`

The worker keeps ${table.keeps} in the table \`${table.id}\` of \`app.ts\`. Change it, and the next event gets the new code.

\`\`\`sh
npx cdk bootstrap               # once per account and region
npx cdk deploy                  # then \`npx hooklatch secrets set ${source} --stack Webhooks\`
npx hooklatch doctor --stack Webhooks
\`\`\`
`

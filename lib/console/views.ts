/** The pages of the console, in the order of the sidebar. Each has its component in page/app.tsx. */
export const VIEWS = {
  events: { title: 'Events', key: 'e', icon: 'M3 4.5h10M3 8h10M3 11.5h6' },
  'dead-letters': { title: 'Dead letters', key: 'd', icon: 'M8 2.5 14 13H2L8 2.5ZM8 6.5v3M8 11.4v.1' },
  quarantine: { title: 'Quarantine', key: 'q', icon: 'M8 2 13 4v4c0 3-2.2 5-5 6-2.8-1-5-3-5-6V4l5-2Z' },
  captures: {
    title: 'Captures',
    key: 'c',
    icon: 'M2.5 5h2.8l1-1.8h3.4l1 1.8h2.8v7.8h-11zM8 11a2.2 2.2 0 1 0 0-4.4A2.2 2.2 0 0 0 8 11Z',
  },
  destinations: {
    title: 'Destinations',
    key: 't',
    icon: 'M2.5 8h3M5.5 8 8 3.5h5.5M5.5 8h8M5.5 8 8 12.5h5.5',
  },
  sources: { title: 'Sources', key: 's', icon: 'M2.5 13.5v-5M6.2 13.5v-9M9.8 13.5v-6M13.5 13.5v-11' },
} as const satisfies Record<string, ViewFacts>

export type View = keyof typeof VIEWS

interface ViewFacts {
  /** In the sidebar. */
  readonly title: string
  /** Pressed after g, it opens the page. */
  readonly key: string
  /** The path of an icon of 16 by 16. */
  readonly icon: string
}

export const viewNames = Object.keys(VIEWS) as View[]

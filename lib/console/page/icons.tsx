import { VIEWS, type View, viewNames } from '../views.ts'

const SIGNS = {
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM11 11l3 3',
  replay: 'M13 3v3.5H9.5M12.6 6.3A5 5 0 1 0 13 9',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  check: 'm3 8.5 3.2 3.2L13 5',
  close: 'm4 4 8 8M12 4l-8 8',
  back: 'M9.5 3 4.5 8l5 5',
  system: 'M2.5 3.5h11v7h-11zM6 13.5h4',
  light:
    'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M12.4 3.6l-1 1M4.6 11.4l-1 1',
  dark: 'M13 9.6A5.6 5.6 0 0 1 6.4 3a5.6 5.6 0 1 0 6.6 6.6Z',
  help: 'M6 6.2A2 2 0 1 1 8.6 8c-.4.2-.6.5-.6 1v.3M8 11.6v.1',
  warning: 'M8 2.5 14 13H2L8 2.5ZM8 6.5v3M8 11.4v.1',
} as const

export type IconName = keyof typeof SIGNS | View

const PATHS: Readonly<Record<IconName, string>> = {
  ...SIGNS,
  ...(Object.fromEntries(viewNames.map(view => [view, VIEWS[view].icon])) as Record<View, string>),
}

/** Beside a word, never instead of one that is needed. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
)

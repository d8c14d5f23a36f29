import { useState } from 'preact/hooks'

const KEY = 'hooklatch-theme'
const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const kept = (): Theme => THEMES.find(each => each === localStorage.getItem(KEY)) ?? 'system'

/** Before the first paint: the stylesheet knows the rest. */
export const applyTheme = (theme: Theme = kept()): void => {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export const useTheme = (): readonly [Theme, () => void] => {
  const [theme, setTheme] = useState(kept)
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
  const turn = (): void => {
    localStorage.setItem(KEY, next)
    applyTheme(next)
    setTheme(next)
  }
  return [theme, turn]
}

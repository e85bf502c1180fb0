import { signal } from '@preact/signals'

const NAME = 'story-theme'
const THEMES = ['auto', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** `auto` follows the system. The choice is stored in the browser. */
export const theme = signal<Theme>(THEMES.find((one) => one === localStorage.getItem(NAME)) ?? 'auto')

/** Incremented when plots must be drawn in other colours. */
export const painted = signal(0)

const show = (): void => {
  document.documentElement.dataset['theme'] = theme.value
  painted.value += 1
}

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto'
  localStorage.setItem(NAME, theme.value)
  show()
}

show()
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show)

import { PAGES } from '../state/address.ts'
import { choose, link, visit } from '../state/place.ts'
import { key } from '../state/session.ts'
import { helpShown } from './help.tsx'

/** What can be gone through with the keys: `data-item` marks it. */
const items = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('main [data-item]')]

function step(by: 1 | -1): void {
  const all = items()
  const at = all.findIndex((one) => one === document.activeElement)
  const next = all[at < 0 ? (by === 1 ? 0 : all.length - 1) : Math.min(Math.max(at + by, 0), all.length - 1)]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

function search(): void {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  if (field !== null) field.focus()
  else visit(link('search'))
}

const KEYS: Readonly<Record<string, () => void>> = {
  '/': search,
  j: () => step(1),
  ArrowDown: () => step(1),
  k: () => step(-1),
  ArrowUp: () => step(-1),
  '?': () => (helpShown.value = true),
  n: () => choose({ as_of: '' }),
  ...Object.fromEntries(PAGES.map((page, i) => [String(i + 1), () => visit(link(page))])),
}

const FIELDS = 'input, textarea, select, dialog[open] *'

const isForUs = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !ctrlKey && !metaKey && !altKey && key.value !== ''

/** Keys that work wherever no field takes them. */
export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (!isForUs(event)) return
    if (event.target instanceof HTMLElement && event.target.matches(FIELDS)) {
      if (event.key === 'Escape') event.target.blur()
      return
    }
    const act = KEYS[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  })
}

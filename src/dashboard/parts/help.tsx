import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { PAGES } from '../state/address.ts'
import { choose, link, visit } from '../state/place.ts'
import { key } from '../state/session.ts'

export const helpShown = signal(false)

const SHORTCUTS = [
  ['/', 'Search'],
  ['j k, ↓ ↑', 'Next and previous item in a list'],
  ['Enter', 'Open'],
  ['1 … 7', 'Stories, subjects, entities, trends, search, health, monitors'],
  ['n', 'Back to the present'],
  ['?', 'This help'],
  ['Esc', 'Close a dialog, leave a field'],
] as const

const TERMS = [
  [
    'Independent source',
    'A distinct text by a distinct owner. Reprints and translations of one text, articles derived from another, and outlets of one publisher count once.',
  ],
  [
    'Breaking, developing, mature, concluded',
    'How active the coverage is. Hover over a label to see the rule that assigned it.',
  ],
  ['Score', 'How well an article fits a story. An article joins a story if its score is above the threshold.'],
  ['Contested', 'The coverage has ended, but the public still disputes it.'],
  [
    'Provisional',
    'Assigned when the article arrived. Settled after the daily evaluation of all articles of those days.',
  ],
  [
    'Likely to stay',
    'The probability that the article is still in this story after the daily evaluation. Measured on past days: of the articles at 90 %, about nine in ten stayed.',
  ],
  ['Subject', 'A group of articles on the same topic but not the same event. Each article also belongs to a story.'],
] as const

/** Keyboard shortcuts and terms. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null)
  const isShown = helpShown.value
  useEffect(() => {
    if (isShown) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isShown])
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={() => (helpShown.value = false)}>
      <h2 id="help-title" tabIndex={-1} autofocus>
        Help
      </h2>
      <List title="Keyboard shortcuts" lines={SHORTCUTS} />
      <List title="Terms" lines={TERMS} />
      <button type="button" onClick={() => (helpShown.value = false)}>
        Close
      </button>
    </dialog>
  )
}

interface ListProperties {
  readonly title: string
  readonly lines: readonly (readonly [string, string])[]
}

const List = ({ title, lines }: ListProperties) => (
  <>
    <h3>{title}</h3>
    <dl>
      {lines.map(([term, meaning]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  </>
)

/** The items that the arrow keys step through. */
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

const isShortcut = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !ctrlKey && !metaKey && !altKey && key.value !== ''

/** Handles the keyboard shortcuts, except in input fields. */
export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (!isShortcut(event)) return
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

import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

export const helpShown = signal(false)

const KEYS = [
  ['/', 'Search'],
  ['j k, ↓ ↑', 'Next and previous in a list'],
  ['Enter', 'Open'],
  ['1 … 6', 'Stories, subjects, entities, trends, search, health'],
  ['n', 'Back to now'],
  ['?', 'This help'],
  ['Esc', 'Close, leave a field'],
] as const

const WORDS = [
  ['Independent account', 'Re-prints of one text, articles that draw on another, and outlets of one house count once.'],
  [
    'Breaking, developing, mature, concluded',
    'How lively the coverage is. Rest on a label to read the rule that gave it.',
  ],
  [
    'Score',
    'How much speaks for an article belonging to a story, less what speaks against it. Above the one that is needed it belongs there.',
  ],
  ['Contested', 'The coverage is over, and the public still disputes it.'],
  ['Provisional', 'Decided as articles came; settled once all articles of those days were looked at together.'],
  [
    'Likely to stay',
    'The chance that the article is still in this story after that daily look. Measured on past days: of articles with 90 %, about nine in ten stayed.',
  ],
  ['Subject', 'A page of articles that share what they are about, but not the event. Each belongs to a story as well.'],
] as const

/** Keys and words. */
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
      <List title="Keys" lines={KEYS} />
      <List title="Words" lines={WORDS} />
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

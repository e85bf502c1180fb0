import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { now } from '../clock.ts'
import { asOf, choose, parameter, address } from '../state/place.ts'
import { useGet } from '../state/answer.ts'
import { momentOf } from '../words/format.ts'

interface TimeTravelSpan {
  /** Milliseconds since 1970. */
  readonly from: number
  readonly until: number
  /** What the span belongs to: `this story`. */
  readonly owner: string
}

/** The time span of the page; `null` for the span of all articles. */
const span = signal<TimeTravelSpan | null>(null)

/** Limits time travel to the span of a page while that page is shown. */
export function useSpanOf(
  { created_at, updated_at }: { readonly created_at: string; readonly updated_at: string },
  owner: string,
): void {
  useEffect(() => {
    if (asOf() !== undefined) return // a past version of the page ends too early
    span.value = { from: Date.parse(created_at), until: Date.parse(updated_at) + HOUR_MS, owner }
  }, [created_at, updated_at, owner])
  useEffect(() => () => void (span.value = null), [])
}

const STEPS = 240
const HOUR_MS = 3_600_000

/** Selects the point in time for all pages. */
export function TimeTravel() {
  const [isOpen, open] = useState(false)
  const whole = useRef<HTMLDivElement>(null)
  const { page, id } = address.value
  useEffect(() => open(false), [page, id])
  useEffect(() => (isOpen ? closing(whole.current, () => open(false)) : undefined), [isOpen])
  const moment = asOf()
  return (
    <div class="time" ref={whole}>
      <button
        type="button"
        class={moment === undefined ? 'plain' : 'plain on'}
        aria-expanded={isOpen}
        aria-controls="time-panel"
        onClick={() => open(!isOpen)}
      >
        {moment === undefined ? 'Now' : momentOf(moment)} <span aria-hidden="true">▾</span>
      </button>
      {isOpen && <Panel />}
    </div>
  )
}

/** Closes the panel on Escape, returning the focus to its button, and on a click outside. */
function closing(panel: HTMLElement | null, close: () => void): () => void {
  const end = new AbortController()
  const leave = ({ target }: Event): void => {
    if (target instanceof Node && panel?.contains(target) !== true) close()
  }
  const escape = ({ key }: KeyboardEvent): void => {
    if (key !== 'Escape') return
    close()
    panel?.querySelector('button')?.focus()
  }
  addEventListener('pointerdown', leave, { signal: end.signal })
  addEventListener('keydown', escape, { signal: end.signal })
  return () => end.abort()
}

function Panel() {
  const whole = useSpan()
  return (
    <div class="panel" id="time-panel">
      {whole === null ? <p class="quiet">No articles yet.</p> : <Slider key={address.value.id} {...whole} />}
      <label>
        Or date and time (UTC)
        <input
          type="datetime-local"
          value={(asOf() ?? '').slice(0, 16)}
          onChange={(event) => choose({ as_of: atUtc(event.currentTarget.value) })}
        />
      </label>
      <button type="button" disabled={parameter('as_of') === ''} onClick={() => choose({ as_of: '' })}>
        Back to now
      </button>
    </div>
  )
}

const atUtc = (local: string): string => (local === '' ? '' : `${local}:00.000Z`)

/** The span is slightly longer than from the first to the last article, to include both. */
function Slider({ from, until, owner }: TimeTravelSpan) {
  const step = Math.max(1, (until - from) / STEPS)
  const at = asOf()
  const value = at === undefined ? STEPS : Math.round((Date.parse(at) - from) / step)
  const move = (to: number): void => {
    choose({ as_of: to >= STEPS ? '' : new Date(Math.round(from + to * step)).toISOString() }, 'slide')
  }
  return (
    <label>
      Point in time of {owner}
      <input
        type="range"
        min={0}
        max={STEPS}
        value={value}
        aria-valuetext={at === undefined ? 'now' : momentOf(at)}
        onInput={(event) => move(event.currentTarget.valueAsNumber)}
      />
      <span class="ends">
        <span>{momentOf(new Date(from).toISOString())}</span>
        <span>now</span>
      </span>
    </label>
  )
}

/** From the first article to the last; `null` if there are none. */
function useSpan(): TimeTravelSpan | null {
  const own = span.value
  const reply = useGet('/v1/pipeline', {}, { isNeeded: own === null })
  if (own !== null) return own
  if (reply.kind !== 'known' || reply.value.articles.first_published === null) return null
  const { first_published, last_published } = reply.value.articles
  const last = Date.parse(last_published ?? first_published) + HOUR_MS
  return { from: Date.parse(first_published), until: Math.min(now(), last), owner: 'all articles' }
}

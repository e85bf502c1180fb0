import { useEffect, useRef, useState } from 'preact/hooks'
import { Table } from '../parts/states.tsx'
import { useAnswer, type ServiceReply } from '../state/answer.ts'
import { count, counted, dayOf } from '../words/format.ts'
import type { ConditionsPreview, PreviewDay, ShownConditions } from './answers.ts'
import { hasConditions } from './monitor-form.ts'
import { highestOf, previewText } from './preview-text.ts'
import { readPreview, type PreviewResult } from './requests.ts'
import { StoryLine } from './story-line.tsx'

/** The preview is requested after a pause of this length in changes. */
const PAUSE_MS = 500

/** What is known of the stories that meet the conditions. */
export interface PreviewState {
  readonly isComputing: boolean
  readonly reply: ServiceReply<PreviewResult>
}

/** The preview of conditions. A change of the conditions aborts the request in flight. */
export function usePreview(conditions: ShownConditions): PreviewState {
  const text = hasConditions(conditions) ? JSON.stringify(conditions) : ''
  const settled = useSettled(text, PAUSE_MS)
  const reply = useAnswer({
    name: settled,
    ask: (_, signal) => readPreview(JSON.parse(settled) as ShownConditions, signal),
  })
  return { isComputing: text !== '' && (text !== settled || reply.kind === 'pending'), reply }
}

/** A value after it has not changed for some time. */
function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return value === '' ? '' : settled
}

/** The stories of the last 30 days that meet the conditions. The last ones stay visible until the next ones arrive. */
export function Preview(state: PreviewState) {
  const last = useRef<ConditionsPreview | null>(null)
  const view = viewOf(state)
  if (view.kind !== 'computing') last.current = view.kind === 'known' ? view.preview : null
  return (
    <section class="preview" aria-labelledby="preview-title" aria-busy={state.isComputing}>
      <h2 id="preview-title">Preview of the last 30 days</h2>
      {view.kind === 'computing' && <p class="spinner">Computing …</p>}
      <div role="status">
        <Summary view={view} />
      </div>
      {last.current !== null && <Stories preview={last.current} />}
    </section>
  )
}

type PreviewView =
  | { readonly kind: 'none' | 'computing' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'known'; readonly preview: ConditionsPreview }

function viewOf({ isComputing, reply }: PreviewState): PreviewView {
  if (isComputing) return { kind: 'computing' }
  if (reply.kind === 'pending') return { kind: 'none' }
  if (reply.kind === 'refused') {
    const { message, againIn } = reply.refusal
    const then = againIn === null ? '' : ' Retrying automatically.'
    return { kind: 'failed', message: `The preview could not be computed: ${message.replace(/\.$/, '')}.${then}` }
  }
  return reply.value.kind === 'done'
    ? { kind: 'known', preview: reply.value.value }
    : { kind: 'failed', message: 'The preview needs valid conditions. The errors are shown at the fields.' }
}

function Summary({ view }: { readonly view: PreviewView }) {
  switch (view.kind) {
    case 'none':
      return <p class="quiet">Enter a condition to see which stories would have matched.</p>
    case 'computing':
      return null
    case 'failed':
      return <p class="bad">{view.message}</p>
    case 'known':
      return <p>{previewText(view.preview)}</p>
  }
}

const SHOWN = 8

function Stories({ preview: { stories, days, total } }: { readonly preview: ConditionsPreview }) {
  if (total === 0) return null
  return (
    <>
      <Days days={days} />
      <ul class="related">
        {stories.slice(0, SHOWN).map((story) => (
          <StoryLine key={story.cluster_id} id={story.cluster_id} story={story} />
        ))}
      </ul>
      {total > SHOWN && <p class="quiet">The newest {SHOWN} are shown.</p>}
    </>
  )
}

const HEIGHT = 40

/** A bar for each day, and the same as a table. */
function Days({ days }: { readonly days: readonly PreviewDay[] }) {
  const highest = highestOf(days)
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return null
  return (
    <>
      <svg
        class="minutes"
        viewBox={`0 0 ${days.length * 4} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Stories a day, at most ${count(highest)}; the table below has the numbers`}
      >
        {days.map(({ day, stories }, i) => {
          const height = (stories / highest) * HEIGHT
          return <rect key={day} x={i * 4} width="3" y={HEIGHT - height} height={height} />
        })}
      </svg>
      <p class="ends" aria-hidden="true">
        <span>{dayOf(first.day)}</span>
        <span>{dayOf(last.day)}</span>
      </p>
      <details>
        <summary>{counted(days.length, 'day')} as a table</summary>
        <Table
          label="Stories a day"
          columns={['Day (UTC)', 'Stories']}
          rows={days.toReversed().map(({ day, stories }) => [dayOf(day), count(stories)])}
        />
      </details>
    </>
  )
}

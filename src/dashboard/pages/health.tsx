import type { components } from '../../../sdk/src/index.ts'
import { useEffect, useState } from 'preact/hooks'
import { now } from '../clock.ts'
import { Measured } from '../parts/measured-quality.tsx'
import { Shown } from '../parts/states.tsx'
import { useTitle } from '../parts/title.ts'
import { useAnswer } from '../state/answer.ts'
import { bodyOf } from '../state/service.ts'
import { ago, count, counted } from '../words/format.ts'

type Pipeline = components['schemas']['Pipeline']

const EVERY_MS = 6_000

/** How the service itself is: what comes in, who is behind, what was refused, how good the results are. */
export function HealthPage() {
  useTitle('Health')
  const turn = useTurns()
  const pipeline = useAnswer({
    name: 'pipeline',
    turn,
    ask: async (api, signal) => bodyOf(await api.GET('/v1/pipeline', { signal })),
  })
  return (
    <>
      <h1>Health</h1>
      <p class="quiet">Whether the service works, what comes in, and how good its results are.</p>
      <div class="columns even">
        <div>
          <Service turn={turn} />
          <Shown reply={pipeline} what="how the flow goes">
            {(flow) => (
              <>
                <Intake flow={flow} />
                <Readers flow={flow} />
              </>
            )}
          </Shown>
        </div>
        <Measured />
      </div>
    </>
  )
}

/** Grows while the page is looked at. */
function useTurns(): number {
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setTurn((before) => before + 1)
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return turn
}

function Service({ turn }: { readonly turn: number }) {
  const health = useAnswer({
    name: 'health',
    turn,
    ask: async (api, signal) => bodyOf(await api.GET('/health', { signal })),
  })
  const echo = useAnswer({
    name: 'echo health',
    turn: Math.floor(turn / 5),
    ask: async (api, signal) => bodyOf(await api.GET('/echo/health', { signal })),
  })
  return (
    <section>
      <h2>Service</h2>
      <Shown reply={health} what="the service">
        {({ status, version, reasons }) => (
          <>
            <p>
              <span class={`state ${status}`}>{status === 'ok' ? 'All is well' : 'Not all is well'}</span> version{' '}
              {version}
            </p>
            {reasons.map(({ path, message }) => (
              <p key={path} class="bad">
                {path}: {message}
              </p>
            ))}
          </>
        )}
      </Shown>
      <Shown reply={echo} what="the platforms">
        {({ platforms }) => (
          <p class="facts">
            <span>Public voices from</span>
            {Object.entries(platforms).map(([name, { status, last_success_at }]) => (
              <span key={name} title={last_success_at === null ? 'never looked at' : ago(last_success_at, now())}>
                {name}: {status}
              </span>
            ))}
          </p>
        )}
      </Shown>
    </section>
  )
}

function Intake({ flow: { articles, refused } }: { readonly flow: Pipeline }) {
  const most = Math.max(1, ...articles.per_minute.map((one) => one.articles))
  return (
    <section>
      <h2>Coming in</h2>
      <dl class="figures">
        <Figure label="articles in all" value={articles.total} />
        <Figure label="in the last hour" value={articles.last_hour} />
        <Figure label="in 24 hours" value={articles.last_24h} />
        <Figure label="submissions refused" value={refused.submissions} />
      </dl>
      <svg
        class="minutes"
        viewBox="0 0 240 40"
        preserveAspectRatio="none"
        role="img"
        aria-label={`Articles in each of the last 60 minutes, at most ${count(most)}`}
      >
        {articles.per_minute.map((minute, i) => (
          <rect
            key={minute.time}
            x={i * 4}
            width="3"
            y={40 - (minute.articles / most) * 40}
            height={(minute.articles / most) * 40}
          />
        ))}
      </svg>
      <p class="ends" aria-hidden="true">
        <span>an hour ago</span>
        <span>now</span>
      </p>
      <p class="quiet">Articles a minute in the last hour, at most {count(most)}.</p>
      {refused.reasons.map(({ reason, submissions }) => (
        <p key={reason} class="quiet">
          {counted(submissions, 'submission')} refused: {reason.replaceAll('_', ' ')}
        </p>
      ))}
    </section>
  )
}

const Figure = ({ label, value }: { readonly label: string; readonly value: number }) => (
  <div>
    <dt>{label}</dt>
    <dd>{count(value)}</dd>
  </div>
)

function Readers({ flow: { readers } }: { readonly flow: Pipeline }) {
  const behind = readers.filter(({ state }) => state === 'behind')
  return (
    <section>
      <h2>Is anybody behind?</h2>
      <p>
        {behind.length === 0
          ? `Nobody: all ${count(readers.length)} readers have read everything that came in.`
          : `${counted(behind.length, 'reader')} of ${count(readers.length)}: what they show is older.`}
      </p>
      <details open={behind.length > 0}>
        <summary>All readers of the log</summary>
        <ul class="readers">
          {readers.map((reader) => (
            <li key={reader.name} class={reader.state}>
              {reader.name} <span>{standing(reader)}</span>
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}

const standing = ({ state, waiting }: Pipeline['readers'][number]): string =>
  state === 'up_to_date' ? 'up to date' : waiting === null ? 'behind' : `${count(waiting)} waiting`

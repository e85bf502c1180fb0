import { useEffect, useState } from 'preact/hooks'
import { now } from '../clock.ts'
import { Measured } from '../parts/measured-quality.tsx'
import { Shown } from '../parts/states.tsx'
import { WatchedFeeds } from '../parts/watched-feeds.tsx'
import { useTitle } from '../state/place.ts'
import { useGet } from '../state/answer.ts'
import { ago, count, counted } from '../words/format.ts'
import type { ApiSchemas } from '../words/schemas.ts'

const EVERY_MS = 6_000

/** The service itself: status, intake, consumer lag and quality of the results. */
export function HealthPage() {
  useTitle('Health')
  const turn = useTurns()
  const pipeline = useGet('/v1/pipeline', {}, { turn })
  return (
    <>
      <h1>Health</h1>
      <p class="quiet">Status of the service, incoming articles, and quality of the results.</p>
      <div class="columns even">
        <div>
          <Service turn={turn} />
          <Shown reply={pipeline} what="the pipeline">
            {(flow) => (
              <>
                <Intake flow={flow} />
                <Consumers flow={flow} />
              </>
            )}
          </Shown>
        </div>
        <div>
          <WatchedFeeds turn={turn} />
          <Measured />
        </div>
      </div>
    </>
  )
}

/** Incremented every few seconds while the page is visible. */
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
  const health = useGet('/health', {}, { turn })
  const echo = useGet('/echo/health', {}, { turn: Math.floor(turn / 5) })
  return (
    <section>
      <h2>Service</h2>
      <Shown reply={health} what="the service">
        {({ status, version, reasons }) => (
          <>
            <p>
              <span class={`state ${status}`}>{status === 'ok' ? 'Operational' : 'Degraded'}</span> version {version}
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
            <span>Public posts from</span>
            {Object.entries(platforms).map(([name, { status, last_success_at }]) => (
              <span key={name} title={last_success_at === null ? 'never polled' : ago(last_success_at, now())}>
                {name}: {status}
              </span>
            ))}
          </p>
        )}
      </Shown>
    </section>
  )
}

function Intake({ flow: { articles, refused } }: { readonly flow: ApiSchemas['Pipeline'] }) {
  const most = Math.max(1, ...articles.per_minute.map((one) => one.articles))
  return (
    <section>
      <h2>Intake</h2>
      <dl class="figures">
        <Figure label="articles in total" value={articles.total} />
        <Figure label="in the last hour" value={articles.last_hour} />
        <Figure label="in the last 24 hours" value={articles.last_24h} />
        <Figure label="rejected submissions" value={refused.submissions} />
      </dl>
      <svg
        class="minutes"
        viewBox="0 0 240 40"
        preserveAspectRatio="none"
        role="img"
        aria-label={`Articles per minute over the last 60 minutes, maximum ${count(most)}`}
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
        <span>1 hour ago</span>
        <span>now</span>
      </p>
      <p class="quiet">Articles per minute over the last hour, maximum {count(most)}.</p>
      {refused.reasons.map(({ reason, submissions }) => (
        <p key={reason} class="quiet">
          {counted(submissions, 'submission')} rejected: {reason.replaceAll('_', ' ')}
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

function Consumers({ flow: { readers } }: { readonly flow: ApiSchemas['Pipeline'] }) {
  const behind = readers.filter(({ state }) => state === 'behind')
  return (
    <section>
      <h2>Consumer lag</h2>
      <p>
        {behind.length === 0
          ? `All ${count(readers.length)} consumers are caught up.`
          : `${count(behind.length)} of ${counted(readers.length, 'consumer')} lagging; their data is out of date.`}
      </p>
      <details open={behind.length > 0}>
        <summary>All consumers</summary>
        <ul class="readers">
          {readers.map((reader) => (
            <li key={reader.name} class={reader.state}>
              {reader.name} <span>{lagText(reader)}</span>
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}

const lagText = ({ state, waiting }: ApiSchemas['Pipeline']['readers'][number]): string =>
  state === 'up_to_date' ? 'caught up' : waiting === null ? 'lagging' : `lag ${count(waiting)}`

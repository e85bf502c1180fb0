import type { ComponentChildren } from 'preact'
import { useGet } from '../state/answer.ts'
import { turn } from '../state/live.ts'
import { link } from '../state/place.ts'
import { FIRST_STEPS } from '../words/first-steps.ts'
import { Empty } from './states.tsx'

interface EmptyListProperties {
  /** Shown if the service has articles, or if that is unknown. */
  readonly title: string
  readonly children?: ComponentChildren
}

/** An empty list. If the service has no article at all, it says how to get some. */
export function EmptyList({ title, children }: EmptyListProperties) {
  const reply = useGet('/v1/pipeline', {}, { turn: turn.value })
  if (reply.kind === 'known' && reply.value.articles.total === 0) return <FirstSteps />
  return <Empty title={title}>{children}</Empty>
}

/** Announced to screen readers, since it replaces the list. */
const FirstSteps = () => (
  <section class="empty first-steps" role="status" aria-label="No articles yet">
    <h2>No articles yet</h2>
    <p>The service has no article to show. Do one of these in the folder of the project:</p>
    <ul>
      {FIRST_STEPS.map(({ title, command }) => (
        <li key={command}>
          {title}: <code>{command}</code>
        </li>
      ))}
    </ul>
    <p>
      Programs send articles to <code>POST /layer0/v1/process</code>: see the{' '}
      <a href="./docs">documentation of the API</a>. All steps are in <code>docs/tutorial.md</code>.
    </p>
    <p>
      Stories then appear by themselves. The first articles of watched feeds take some minutes:{' '}
      <a href={link('health')}>Health</a> shows the feeds and what arrives.
    </p>
  </section>
)

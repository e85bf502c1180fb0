import { link } from '../state/place.ts'
import { count, counted, entityType, percent, safeAddress } from '../words/format.ts'
import type { ApiSchemas } from '../words/schemas.ts'

type LifecycleProperties = Pick<ApiSchemas['Story'], 'lifecycle_state' | 'lifecycle_reason'>

/** The lifecycle state, with the rule that assigned it as its title. */
export const Lifecycle = ({ lifecycle_state: state, lifecycle_reason: reason }: LifecycleProperties) =>
  state === null ? null : (
    <span class={`state ${state}`} title={reason?.text}>
      {state}
    </span>
  )

/** Marks a story that was settled by a daily evaluation. */
export const Settled = ({ membership }: Pick<ApiSchemas['Story'], 'membership'>) =>
  membership === 'settled' ? (
    <span
      class="settled"
      title="The daily evaluation of all articles of these days is complete; articles rarely move after it"
    >
      settled
    </span>
  ) : null

interface CountsProperties {
  readonly story: Pick<ApiSchemas['Story'], 'article_count' | 'source_count' | 'origin_count'>
}

/** The number of independent sources and their share of the articles. */
export function Independence({ story: { article_count, origin_count } }: CountsProperties) {
  const repeats = Math.max(0, article_count - origin_count)
  const share = article_count === 0 ? 0 : origin_count / article_count
  return (
    <span
      class="independence"
      title={`${counted(repeats, 'article')} not independent: reprints, translations, derived texts or articles of the same publisher`}
    >
      <svg viewBox="0 0 60 6" preserveAspectRatio="none" aria-hidden="true">
        <rect width="60" height="6" class="repeats" />
        <rect width={60 * share} height="6" class="own" />
      </svg>
      <b>{count(origin_count)}</b> independent
    </span>
  )
}

interface LifeProperties {
  /** ISO 8601: first and last article. */
  readonly from: string
  readonly until: string
  /** Start and end of the time window, in milliseconds since 1970. */
  readonly window: readonly [number, number]
}

/** The time between the first and the last article, within the window. */
export function Life({ from, until, window: [start, end] }: LifeProperties) {
  const share = (iso: string): number => Math.min(1, Math.max(0, (Date.parse(iso) - start) / Math.max(1, end - start)))
  const [left, right] = [share(from) * 96, share(until) * 96]
  return (
    <svg class="life" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="8" class="repeats" />
      <rect x={left} width={right - left + 4} height="8" class="span" />
    </svg>
  )
}

interface SentimentProperties {
  readonly shares: { readonly positive: number; readonly neutral: number; readonly negative: number }
}

/** Shares of positive, neutral and negative articles. */
export const SentimentBar = ({ shares: { positive, neutral, negative } }: SentimentProperties) => (
  <svg
    class="feelings"
    viewBox="0 0 100 6"
    preserveAspectRatio="none"
    role="img"
    aria-label={`${percent(positive)} positive, ${percent(neutral)} neutral, ${percent(negative)} negative`}
  >
    <rect width={positive * 100} height="6" class="positive" />
    <rect x={positive * 100} width={neutral * 100} height="6" class="neutral" />
    <rect x={(positive + neutral) * 100} width={negative * 100} height="6" class="negative" />
  </svg>
)

/** `SentimentBar` with a legend. */
export const Tone = ({ shares }: SentimentProperties) => (
  <p class="tone">
    <span class="quiet">Sentiment of the articles</span>
    <SentimentBar shares={shares} />
    <span class="quiet" aria-hidden="true">
      <i class="positive" /> {percent(shares.positive)} positive <i class="neutral" /> {percent(shares.neutral)} neutral{' '}
      <i class="negative" /> {percent(shares.negative)} negative
    </span>
  </p>
)

const MAX_ENTITIES = 6

/** The entities that most articles of a story or a subject mention. */
export function Named({ story: { entities } }: { readonly story: Pick<ApiSchemas['ClusterDetail'], 'entities'> }) {
  const types = Object.entries(entities).filter(([, some]) => some.length > 0)
  if (types.length === 0) return null
  return (
    <section>
      <h2>Entities</h2>
      <dl class="named">
        {types.map(([type, some]) => (
          <div key={type}>
            <dt>{entityType(type)}</dt>
            <dd>
              {some.slice(0, MAX_ENTITIES).map(({ id, name, article_count }) => (
                <a key={id} href={link('entities', id)} title={`in ${counted(article_count, 'article')}`}>
                  {name}
                </a>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** The name of an outlet, linked to its article if that has a URL. */
export function Outlet({ name, url }: { readonly name: string; readonly url: string | null }) {
  const address = safeAddress(url)
  if (address === undefined) return <span class="outlet">{name}</span>
  return (
    <a class="outlet" href={address} target="_blank" rel="noopener noreferrer">
      {name}
      <span aria-hidden="true"> ↗</span>
      <span class="unseen"> (opens the article in a new tab)</span>
    </a>
  )
}

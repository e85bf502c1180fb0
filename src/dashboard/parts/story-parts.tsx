import type { components } from '../../../sdk/src/index.ts'
import { count, counted } from '../words/format.ts'

type StoryPartsStory = components['schemas']['Story']

type LifecycleProperties = Pick<StoryPartsStory, 'lifecycle_state' | 'lifecycle_reason'>

/** How lively the coverage is; the rule that gave it as a title. */
export const Lifecycle = ({ lifecycle_state: state, lifecycle_reason: reason }: LifecycleProperties) =>
  state === null ? null : (
    <span class={`state ${state}`} title={reason?.text}>
      {state}
    </span>
  )

/** Marks a story whose articles were all looked at together. */
export const Settled = ({ membership }: Pick<StoryPartsStory, 'membership'>) =>
  membership === 'settled' ? (
    <span class="settled" title="All articles of its days were looked at together: hardly any moves any more">
      settled
    </span>
  ) : null

interface CountsProperties {
  readonly story: Pick<StoryPartsStory, 'article_count' | 'source_count' | 'origin_count'>
}

/** How many articles there are, and how many of them are accounts of their own: the others repeat. */
export function Independence({ story: { article_count, origin_count } }: CountsProperties) {
  const repeats = Math.max(0, article_count - origin_count)
  const share = article_count === 0 ? 0 : origin_count / article_count
  return (
    <span
      class="independence"
      title={`${counted(repeats, 'article')} are not independent: they repeat others or are of the same house`}
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
  /** Milliseconds since 1970: the window that is shown. */
  readonly window: readonly [number, number]
}

/** When in the window that is shown the articles of a story came: its left end is the beginning of the window, its right end now. */
export function Life({ from, until, window: [start, end] }: LifeProperties) {
  const place = (iso: string): number => Math.min(1, Math.max(0, (Date.parse(iso) - start) / Math.max(1, end - start)))
  const [left, right] = [place(from) * 96, place(until) * 96]
  return (
    <svg class="life" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="8" class="repeats" />
      <rect x={left} width={right - left + 4} height="8" class="span" />
    </svg>
  )
}

interface FeelingsProperties {
  readonly shares: { readonly positive: number; readonly neutral: number; readonly negative: number }
}

/** Shares of positive, neutral and negative articles. */
export const Feelings = ({ shares: { positive, neutral, negative } }: FeelingsProperties) => (
  <svg
    class="feelings"
    viewBox="0 0 100 6"
    preserveAspectRatio="none"
    role="img"
    aria-label={`${inHundred(positive)} positive, ${inHundred(neutral)} neutral, ${inHundred(negative)} negative`}
  >
    <rect width={positive * 100} height="6" class="positive" />
    <rect x={positive * 100} width={neutral * 100} height="6" class="neutral" />
    <rect x={(positive + neutral) * 100} width={negative * 100} height="6" class="negative" />
  </svg>
)

/** The same with its words: for where it stands alone. */
export const Tone = ({ shares }: FeelingsProperties) => (
  <p class="tone">
    <span class="quiet">Tone of the articles</span>
    <Feelings shares={shares} />
    <span class="quiet" aria-hidden="true">
      <i class="positive" /> {inHundred(shares.positive)} positive <i class="neutral" /> {inHundred(shares.neutral)}{' '}
      neutral <i class="negative" /> {inHundred(shares.negative)} negative
    </span>
  </p>
)

const inHundred = (share: number): string => `${Math.round(share * 100)} %`

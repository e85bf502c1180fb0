import { f32, i8, NO_VECTOR } from '../../src/events/vector.ts'
import type { ArticleClustered } from '../../src/events/ledger.ts'
import type { StoryEnriched } from '../../src/events/discourse.ts'
import type { ClockTicked } from '../../src/events/settings.ts'
import type { Stance, StanceModel } from '../../src/language/stance/stance.ts'
import type { Entry } from '../../src/state/entry.ts'
import type { Input, Outcome } from '../../src/runtime/shapes.ts'
import { emptyState, type EnrichedState } from '../../src/stages/enriched/discourse.ts'
import { evolve } from '../../src/stages/enriched/memory.ts'
import type { EnrichedRecord } from '../../src/stages/enriched/changelog.ts'
import type { ReadText } from '../../src/stages/enriched/observed-posts.ts'
import { enriched } from '../../src/stages/enriched/stage.ts'
import { aStoryArticle, aVector } from './discourse.ts'

/** The beginning of a post that is not in English. */
export const FOREIGN = 'xx '
/** A vector that is comparable between languages. */
export const across = (subject: string) => i8('test:cross', 384, [aVector(subject)])

/**
 * Stands in for the language models: names what is written in capitals, feels by two words; a text sounds like the
 * topic it ends with (`#bridge`), else like nothing else.
 */
export const testReader = (texts: readonly string[]): Promise<ReadText[]> =>
  Promise.resolve(
    texts.map((text) => ({
      vector: f32('test:sentence', aVector(/#(\w+)$/.exec(text)?.[1] ?? text)),
      cross_vector: text.startsWith(FOREIGN) ? across(/#(\w+)$/.exec(text)?.[1] ?? text) : NO_VECTOR,
      sentiment_score: text.includes('great') ? 0.8 : text.includes('awful') ? -0.8 : 0,
      entities: (text.match(/\b[A-Z][a-z]+ [A-Z][a-z]+\b/g) ?? []).map((name) => ({
        entity_id: name === 'Ada Quill' ? 'ent_mayor' : `ent_${name}`,
        name,
        type: 'PERSON',
      })),
    })),
  )

const DENY =
  /\b(?:fake|false|hoax|debunked|untrue|not true|isn'?t true|never happened|no evidence|no proof|lie|lies|wrong|nonsense)\b/i
const SUPPORT = /\b(?:confirmed|verified|exactly|agree|agreed|true|indeed|correct|absolutely)\b/i

/** Stands in for the model of stance: goes by a few words of the post, and says how it was asked. */
export const cueStance: StanceModel = {
  name: 'test:cues',
  stanceOf: ({ post, parent, claim }) => stanceIs(cueOf(post.text), `${parent?.text ?? ''} ${claim?.text ?? ''}`),
}

function cueOf(text: string): Stance {
  if (DENY.test(text)) return 'deny'
  if (/\?\s*$/.test(text)) return 'query'
  return SUPPORT.test(text) ? 'support' : 'comment'
}

/** The surer, the longer what it was asked with: who is asked with something else answers something else. */
function stanceIs(stance: Stance, text: string) {
  const rest = { support: 0.05, deny: 0.05, query: 0.05, comment: 0.05 }
  return { stance, probabilities: { ...rest, [stance]: 0.8 + (text.length % 100) / 1_000 } }
}

/** Time passes: nothing more comes. */
export const aTick = (at = 0, over: Partial<ClockTicked> = {}): ClockTicked => ({
  event_id: `evt_tick_${at}`,
  namespace: 'shared',
  tick_at: at,
  flush: true,
  ...over,
})

const WEEK_MS = 7 * 86_400_000

interface EnrichedOptions {
  readonly budget?: number
  readonly read?: typeof testReader
  readonly stance?: StanceModel
  readonly textMs?: number
}

const stageOf = ({ budget = 100, read = testReader, stance = cueStance, textMs = WEEK_MS }: EnrichedOptions) =>
  enriched({ read, stance, budget, textMs })
export type EnrichedIn = Parameters<ReturnType<typeof stageOf>['decide']>[1]['event']

export const fold = (state: EnrichedState, entry: Entry<EnrichedRecord>): EnrichedState => evolve(state, entry)

/** Story, platform and number of posts of each record. */
export const counts = (emitted: readonly { cluster_id: string; platform: string; comment_count_analyzed: number }[]) =>
  emitted.map((e) => [e.cluster_id, e.platform, e.comment_count_analyzed])

/** An article of the story `sto_<id>` that sounds like the subject. */
export const aStory = (id: string, subject: string, over: Partial<ArticleClustered> = {}) =>
  aStoryArticle({
    article_id: `art_${id}`,
    cluster_id: `sto_${id}`,
    ...over,
    member: {
      ...aStoryArticle().member,
      title: id,
      url: `https://example.com/${id}`,
      vector: f32('test:lead', aVector(subject)),
      ...over.member,
    },
  })

function topicOf(event: EnrichedIn): string {
  if ('tick_at' in event) return 'clock.ticked'
  return 'post_id' in event ? 'discourse.posts' : 'articles.clustered'
}

/** Runs events through the stage as the runtime does: prepare, decide, fold, tell. Offsets count topic by topic. */
export async function live(events: readonly EnrichedIn[], given: EnrichedOptions = {}) {
  const stage = stageOf(given)
  let state = emptyState()
  const changelog: Entry<EnrichedRecord>[] = []
  const emitted: StoryEnriched[] = []
  const outcomes: Outcome<StoryEnriched>[] = []
  const next = new Map<string, number>()
  const inputs = events.map((event): Input<EnrichedIn> => {
    const topic = topicOf(event)
    const offset = next.get(topic) ?? 0
    next.set(topic, offset + 1)
    return { event, topic, place: { topic, partition: 0, offset }, loggedAt: 1_000 + offset }
  })
  for (const input of (await stage.prepare?.(inputs)) ?? inputs) {
    const decided = stage.decide(state, input)
    changelog.push(...decided.remember)
    state = decided.remember.reduce(fold, state)
    const outcome = decided.kind === 'deferred' ? decided.outcome(state) : decided
    outcomes.push(outcome)
    if (outcome.kind === 'emit') emitted.push(...outcome.events)
  }
  return { state, changelog, last: emitted.at(-1), emitted, outcomes }
}

/** The newest record of each story and platform, if it says that there are posts: what readers see. */
export function seen(emitted: readonly StoryEnriched[]): readonly StoryEnriched[] {
  const newest = new Map(emitted.map((record) => [`${record.cluster_id} ${record.platform}`, record]))
  return [...newest]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, record]) => ({ ...record, event_id: '', caused_by: null, fetched_at: 0 }))
    .filter((record) => record.comment_count_analyzed > 0)
}

/** What a state says, whatever the order its parts were put in. */
export const contentOf = (state: EnrichedState): unknown => plain({ ...state })

function plain(value: unknown): unknown {
  if (value instanceof Map) {
    return [...value].map(([key, held]): unknown => [key, plain(held)]).sort((a, b) => compare(a, b))
  }
  if (value instanceof Set) return [...value].sort()
  if (value instanceof Float64Array || Buffer.isBuffer(value)) return [...value]
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, held]): [string, unknown][] =>
      ['isInOrder', 'newest'].includes(name) ? [] : [[name, plain(held)]],
    ),
  )
}

const compare = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

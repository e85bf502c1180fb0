import { HOUR_MS } from '../../domain/days.ts'
import { derivedEnvelope } from '../../state/derived-envelope.ts'
import { STAGES } from '../../events/stages.ts'
import { isRefused } from '../../events/ledger-change.ts'
import { articlesClustered, isOfEvictedStory, type ArticleClustered } from '../../events/ledger.ts'
import { trendsDetected, type DetectionType, type TrendDetected } from '../../events/trends.ts'
import { emit, skip, type Decided, type Input, type MemoryStage } from '../../runtime/shapes.ts'
import { found, type FoundCrossing, type DetectedNews } from './crossings.ts'
import { asArticle, evolve, noHeld, emptyState, type DetectedNamespace, type DetectedState } from './memory.ts'
import { moved, ended, evict } from './moves.ts'
import { detectedMemory, entry, remembered, type DetectedRecord } from './changelog.ts'

export interface DetectedDependencies {
  /** Articles kept, over all namespaces of a partition. The oldest are evicted first. */
  readonly budget: number
}

export type DetectedStage = MemoryStage<DetectedState, ArticleClustered, TrendDetected, DetectedRecord>
type DetectedOutcome = Decided<TrendDetected, DetectedRecord>

/**
 * Emits one event when a story grows fast, an entity is named far more than usual, or the tone towards it changes.
 * Levels are evaluated as articles arrive, at their event time, and again at later event times whose windows contain
 * the article. No clock is used, so late-arriving old news gives the same result as on its own.
 */
export const detected = ({ budget }: DetectedDependencies): DetectedStage => ({
  name: STAGES.detected.stage,
  version: STAGES.detected.version,
  reads: [articlesClustered],
  writes: trendsDetected,
  memory: { changelog: detectedMemory, empty: emptyState, evolve },

  decide(state, input): DetectedOutcome {
    const { event } = input
    if (event.change === null) return onArticle(state, input, budget)
    if (isRefused(event.change)) return { ...skip('nothing_moved'), remember: [] }
    const remember = moved(state.namespaces.get(event.namespace) ?? noHeld(), event, event.change)
    return { ...skip(remember.length === 0 ? 'nothing_moved' : 'moved'), remember }
  },
})

function onArticle(state: DetectedState, input: Input<ArticleClustered>, budget: number): DetectedOutcome {
  const { event, place } = input
  const { namespace } = event
  const held = state.namespaces.get(namespace) ?? noHeld()
  const without = held.articles.get(event.article_id) ?? null
  if (isOfEvictedStory(event, without)) return { ...skip('evicted_story'), remember: [] }
  const article = { ...remembered(event, sourceText(held, event)), log_order: without?.order ?? place.offset }
  const added = asArticle(state, held, article)
  const all = found(held, { added, without })
  const staying = { namespace, stays: added }
  const forgotten = without === null ? evict(state, staying, budget) : ended(held, [without], staying)
  const remember = [
    entry(namespace, { article }),
    ...all.map(({ crossing }) => entry(namespace, { told: crossing })),
    ...forgotten,
  ]
  const events = all.flatMap(({ crossing, news }) => news.map((one) => detection(input, crossing, one)))
  return { ...(events.length === 0 ? skip('remembered') : emit(...events)), remember }
}

/** The text it quotes or rewrites, if that article is in memory. */
const sourceText = (held: DetectedNamespace, { origin }: ArticleClustered): string | null =>
  held.articles.get(origin?.derived_from ?? '')?.text ?? null

/** A crossing is detected once, so the event id is derived from its subject and hour. A replay gives the same id. */
function detection(
  { event, place }: Input<ArticleClustered>,
  { type, subject_id }: FoundCrossing['crossing'],
  { at, ...news }: DetectedNews,
): TrendDetected {
  const about = [type, event.namespace, subject_id, Math.floor(at / HOUR_MS)].join('\n')
  return {
    ...derivedEnvelope(STAGES.detected, { event, place }, about),
    occurred_at: at,
    type,
    subject_id,
    name: nameOf(event, type, subject_id),
    ...news,
  }
}

const nameOf = ({ member }: ArticleClustered, type: DetectionType, subjectId: string): string =>
  type === 'trend.detected'
    ? (member.title ?? '')
    : (member.entities.find(({ entity_id }) => entity_id === subjectId)?.name ?? '')

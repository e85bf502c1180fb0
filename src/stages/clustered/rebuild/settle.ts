import { dayName, dayOf } from '../../../domain/days.ts'
import { clusterId } from '../../../events/ids.ts'
import type { Decision } from '../../../events/ledger.ts'
import type { Steps } from '../../../state/steps.ts'
import { settledConfidence } from '../assignment.ts'
import { daysDue } from '../days.ts'
import { NO_CHANGE, type ChangedStories } from '../ledger.ts'
import { noStories, type ClusteredStories } from '../memory.ts'
import type { ClusteringModel } from '../../../language/clustering/model.ts'
import type { RebuiltDay, RememberedMember } from '../changelog.ts'
import { ClusteredLinks } from './links.ts'
import { MemberPlacement } from './unit.ts'
import { rebuildDay, type Uncertain } from './rebuild.ts'

export interface SettledDay {
  readonly changed: readonly ChangedStories[]
  /** Articles that changed their story or subject page, in their new state. */
  readonly moved: readonly RememberedMember[]
  readonly rebuilt: readonly RebuiltDay[]
}

interface SettleOptions {
  readonly namespace: string
  readonly stories: ClusteredStories | undefined
  /** The tick: when it was logged, and whether it ends the input (`flush`). */
  readonly now: { readonly loggedAt: number; readonly flush: boolean }
  readonly model: Pick<ClusteringModel, 'weights' | 'versions' | 'assignment' | 'mu'>
}

/** Approximate limit on the articles grouped at one tick. What is left waits for a later tick, so that no decision takes too long. */
const GROUPED_AT_ONCE = 16_000

/** Reclusters the articles that wait, one event day after the other. Empty if no day is due. */
export function* settle({ namespace, stories = noStories(), now, model }: SettleOptions): Steps<SettledDay> {
  const placing = new MemberPlacement(stories)
  const rebuilding = { namespace, stories, placing, links: new ClusteredLinks(model.weights), model }
  const found: Uncertain[] = []
  const rules = model.weights.rebuild
  const due = daysDue(stories.days, now, rules).map((day) => turnOf(stories, day, rules.changed_at_once))
  const turns: SettledTurn[] = []
  let grouped = 0
  for (const [i, turn] of due.entries()) {
    const together = due.slice(i).filter(({ day }) => day < turn.day + rules.window_days)
    const changed = together.flatMap(({ articles }) => articles).slice(0, rules.changed_at_once)
    const rebuilt = yield* rebuildDay({ day: turn.day, changed }, rebuilding)
    found.push(...rebuilt.changes)
    turns.push(turn)
    grouped += rebuilt.articles
    if (grouped > GROUPED_AT_ONCE || !turn.isLast) break
  }
  const changed = found.map((one) => ({
    ...one,
    // a listing on a subject page is no assignment
    assignment_confidence: one.action === 'rebuilt' ? null : confidenceIn(one.cluster_id, placing, model),
  }))
  return {
    changed: [
      ...changed,
      ...turns.filter(({ isLast }) => isLast).map((turn) => rebuiltDay(turn, model)),
      ...settledStories({ stories, placing, turns, changed }).map((story) => {
        const assignment_confidence = confidenceIn(story.id, placing, model)
        return storySettled(story, { decision: rebuildDecision(model), assignment_confidence })
      }),
    ],
    moved: placing.changes().map((placed) => asPlaced(placed, namespace)),
    rebuilt: turns.map(({ day, articles }) => ({
      day: dayName(day),
      up_to: highest(articles.map(({ order }) => order)) + 1,
    })),
  }
}

/** The articles of an event day that are reclustered at one tick. */
interface SettledTurn {
  readonly day: number
  readonly articles: readonly RememberedMember[]
  /** Whether no article of the day waits any more. */
  readonly isLast: boolean
}

/** Those that arrived first, `most` of them. */
function turnOf(stories: ClusteredStories, day: number, most: number): SettledTurn {
  const articles = waiting(stories, day).sort((a, b) => a.order - b.order)
  return { day, articles: articles.slice(0, most), isLast: articles.length <= most }
}

const asPlaced = (
  { member, story, subject }: ReturnType<MemberPlacement['changes']>[number],
  namespace: string,
): RememberedMember => ({
  ...member,
  clusterId: story,
  subjectId: subject,
  founded: member.founded || story === clusterId(namespace, member.articleId),
})

const waiting = ({ days, members }: ClusteredStories, day: number): RememberedMember[] =>
  [...(days.unsettled.get(day)?.keys() ?? [])].flatMap((id) => members.get(id) ?? [])

/** A loop, since a day may have more articles than a call accepts as arguments. */
const highest = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), -Infinity)

/** The ledger entry that marks a day as rebuilt, including all articles that had arrived. */
const rebuiltDay = ({ day, articles }: SettledTurn, model: SettleOptions['model']): ChangedStories => ({
  action: 'rebuilt',
  cluster_id: '',
  occurred_at: highest(articles.map(({ features }) => features.time)),
  decision: rebuildDecision(model),
  change: { ...NO_CHANGE, rebuild_day: dayName(day), rebuilt_from: dayName(day) },
  assignment_confidence: null,
})

const rebuildDecision = ({ weights, versions }: SettleOptions['model']): Decision => ({
  rule: 'linkage',
  chosen: null,
  runner_up: null,
  threshold: weights.rebuild.threshold,
  versions,
})

const confidenceIn = (story: string, placing: MemberPlacement, { assignment }: SettleOptions['model']): number =>
  settledConfidence(
    [...placing.membersOf(story)].map(({ features }) => features),
    assignment,
  )

interface RebuiltStories {
  readonly stories: ClusteredStories
  /** The partition after the rebuild. */
  readonly placing: MemberPlacement
  /** The articles that no longer wait. */
  readonly turns: readonly SettledTurn[]
  readonly changed: readonly ChangedStories[]
}

interface SettledStory {
  readonly id: string
  /** By event time. */
  readonly members: readonly RememberedMember[]
}

/**
 * Stories whose membership has settled: they changed or had a waiting article, and now none waits. Ordered by event
 * time of the newest article, then by id.
 */
function settledStories({ stories, placing, turns, changed }: RebuiltStories): SettledStory[] {
  const waited = new Set(turns.flatMap(({ articles }) => articles))
  const isWaiting = ({ articleId, features }: RememberedMember): boolean =>
    stories.days.unsettled.get(dayOf(features.time))?.has(articleId) === true
  const ids = new Set([
    ...[...waited].map((member) => placing.storyOf(member)),
    ...changed.flatMap(({ cluster_id, change }) => [cluster_id, change.from_cluster_id ?? '']),
  ])
  return [...ids]
    .map((id) => ({ id, members: [...placing.membersOf(id)].sort(byTime) }))
    .filter(({ members }) => members.length > 0 && !members.some((member) => isWaiting(member) && !waited.has(member)))
    .sort((a, b) => newestOf(a) - newestOf(b) || (a.id < b.id ? -1 : 1))
}

/** The ledger entry of a settled story, with all its articles. */
const storySettled = (
  story: SettledStory,
  reasons: Pick<ChangedStories, 'decision' | 'assignment_confidence'>,
): ChangedStories => ({
  action: 'settled',
  cluster_id: story.id,
  occurred_at: newestOf(story),
  change: { ...NO_CHANGE, article_ids: story.members.map(({ articleId }) => articleId) },
  ...reasons,
})

const byTime = (a: RememberedMember, b: RememberedMember): number =>
  a.features.time - b.features.time || (a.articleId < b.articleId ? -1 : 1)

const newestOf = ({ members }: SettledStory): number => members.at(-1)?.features.time ?? -Infinity

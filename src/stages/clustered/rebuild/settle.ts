import { dayName, dayOf } from '../../../domain/days.ts'
import { clusterId } from '../../../events/ids.ts'
import type { Decision } from '../../../events/ledger.ts'
import type { Steps } from '../../../state/steps.ts'
import { settledConfidence } from '../assignment.ts'
import { articlesAround, daysDue, daysTouched, delaysOf } from '../days.ts'
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
  readonly model: Pick<ClusteringModel, 'weights' | 'versions' | 'assignment'>
}

/**
 * Approximate limit on the articles of all windows rebuilt at one tick. The rest waits for a later tick, so that no
 * decision takes too long.
 */
const ARTICLES_AT_ONCE = 16_000

/** Rebuilds the days that are due, one after the other. Empty if no day is due. */
export function* settle({ namespace, stories = noStories(), now, model }: SettleOptions): Steps<SettledDay> {
  const { window_days } = model.weights.rebuild
  const placing = new MemberPlacement(stories)
  const links = new ClusteredLinks(model.weights)
  const found: Uncertain[] = []
  const articlesOn = (day: number): number => stories.index.days.get(day)?.articles ?? 0
  const due = daysDue(stories.days, now, delaysOf(stories.days, articlesOn, model.weights.rebuild))
  const queue = new ClusteredDays(daysTouched(due, articlesOn, window_days))
  const firstStop = (due[0] ?? 0) + window_days // each tick must make progress
  let articles = 0
  for (const day of queue.inOrder()) {
    const ofDay = yield* rebuildDay(day, { namespace, stories, placing, links, model })
    found.push(...ofDay)
    queue.add(daysOf(ofDay, placing).filter((other) => other > day))
    articles += articlesAround(day, articlesOn, window_days)
    if (articles > ARTICLES_AT_ONCE && day >= firstStop) break
  }
  const done = due.filter((day) => !queue.hasUpTo(day + window_days - 1))
  const changed = found.map((one) => ({
    ...one,
    // a listing on a subject page is no assignment
    assignment_confidence: one.action === 'rebuilt' ? null : confidenceIn(one.cluster_id, placing, model),
  }))
  return {
    changed: [
      ...changed,
      ...done.map((day) => rebuiltDay(stories, day, model)),
      ...settledStories({ stories, placing, done, changed }).map((story) => {
        const assignment_confidence = confidenceIn(story.id, placing, model)
        return storySettled(story, { decision: rebuildDecision(model), assignment_confidence })
      }),
    ],
    moved: placing.changes().map((placed) => asPlaced(placed, namespace)),
    rebuilt: done.map((day) => ({
      day: dayName(day),
      up_to: highest(waiting(stories, day).map(({ order }) => order)) + 1,
    })),
  }
}

/** Days to rebuild, each once, earliest first. */
class ClusteredDays {
  private readonly waiting: Set<number>
  private readonly done = new Set<number>()

  constructor(days: ReadonlySet<number>) {
    this.waiting = new Set(days)
  }

  add(days: readonly number[]): void {
    for (const day of days) if (!this.done.has(day)) this.waiting.add(day)
  }

  *inOrder(): Generator<number> {
    while (this.waiting.size > 0) {
      const day = [...this.waiting].reduce((least, other) => Math.min(least, other))
      this.waiting.delete(day)
      this.done.add(day)
      yield day
    }
  }

  /** Whether a day up to this one still waits. */
  hasUpTo(day: number): boolean {
    for (const other of this.waiting) if (other <= day) return true
    return false
  }
}

/** Event days of the changed stories. Later days depend on them. */
const daysOf = (changed: readonly Uncertain[], placing: MemberPlacement): number[] =>
  changed
    .filter(({ action }) => action !== 'rebuilt')
    .flatMap(({ cluster_id, change }) => [cluster_id, change.from_cluster_id ?? ''])
    .flatMap((id) => [...placing.membersOf(id)].map(({ features }) => dayOf(features.time)))

const asPlaced = (
  { member, story, subject }: ReturnType<MemberPlacement['changes']>[number],
  namespace: string,
): RememberedMember => ({
  ...member,
  clusterId: story,
  subjectId: subject,
  founded: member.founded || story === clusterId(namespace, member.articleId),
})

const waiting = ({ days }: ClusteredStories, day: number) => [...(days.unsettled.get(day)?.values() ?? [])]

/** A loop, since a day may have more articles than a call accepts as arguments. */
const highest = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), -Infinity)

/** The ledger entry that marks a day as rebuilt, including all articles that had arrived. */
const rebuiltDay = (stories: ClusteredStories, day: number, model: SettleOptions['model']): ChangedStories => ({
  action: 'rebuilt',
  cluster_id: '',
  occurred_at: highest(waiting(stories, day).map(({ features }) => features.time)),
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
  /** Event days whose articles no longer wait. */
  readonly done: readonly number[]
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
function settledStories({ stories, placing, done, changed }: RebuiltStories): SettledStory[] {
  const { unsettled } = stories.days
  const waited = done.flatMap((day) => [...(unsettled.get(day)?.keys() ?? [])])
  const waiting = new Set([...unsettled].flatMap(([day, articles]) => (done.includes(day) ? [] : [...articles.keys()])))
  const ids = new Set([
    ...waited.flatMap((id) => storyOf(stories.members.get(id), placing)),
    ...changed.flatMap(({ cluster_id, change }) => [cluster_id, change.from_cluster_id ?? '']),
  ])
  return [...ids]
    .map((id) => ({ id, members: [...placing.membersOf(id)].sort(byTime) }))
    .filter(({ members }) => members.length > 0 && !members.some(({ articleId }) => waiting.has(articleId)))
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

const storyOf = (member: RememberedMember | undefined, placing: MemberPlacement): string[] =>
  member === undefined ? [] : [placing.storyOf(member)]

const byTime = (a: RememberedMember, b: RememberedMember): number =>
  a.features.time - b.features.time || (a.articleId < b.articleId ? -1 : 1)

const newestOf = ({ members }: SettledStory): number => members.at(-1)?.features.time ?? -Infinity

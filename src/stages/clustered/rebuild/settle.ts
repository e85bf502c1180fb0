import { clusterId } from '../../../events/ids.ts'
import { dayName, daysDue, daysTouched } from '../days.ts'
import { NO_CHANGE, type Changed } from '../ledger.ts'
import { noStories, type Stories } from '../memory.ts'
import type { ClusteringModel } from '../model.ts'
import type { RebuiltDay, RememberedMember } from '../remembered.ts'
import { Placing } from './placing.ts'
import { rebuildDay } from './rebuild.ts'

export interface Settled {
  readonly changed: readonly Changed[]
  /** Articles that changed their story, as they are now. */
  readonly moved: readonly RememberedMember[]
  readonly rebuilt: readonly RebuiltDay[]
}

interface Asked {
  readonly namespace: string
  readonly stories: Stories | undefined
  /** The tick: when the log took it, and whether it says that nothing more comes. */
  readonly now: { readonly loggedAt: number; readonly flush: boolean }
  readonly model: Pick<ClusteringModel, 'weights' | 'versions'>
}

/** Articles of all windows of one tick, at most: the days after them wait for the next tick. */
const ARTICLES_AT_ONCE = 200_000

/** Rebuilds the days that are due, one after the other; nothing where nothing came. */
export function settle({ namespace, stories = noStories(), now, model }: Asked): Settled {
  const { window_days, ...patience } = model.weights.rebuild
  const due = daysDue(stories.days, now, patience)
  const days = daysTouched(due, (day) => stories.index.days.has(day), window_days)
  const placing = new Placing(stories)
  const changed: Changed[] = []
  const done: number[] = []
  let articles = 0
  for (const day of days) {
    if (articles > ARTICLES_AT_ONCE) break
    articles += articlesAround(stories, day, window_days)
    changed.push(...rebuildDay(day, { namespace, stories, placing, model }))
    done.push(day)
  }
  const settled = done.filter((day) => due.includes(day))
  const [first, last] = [settled[0], settled.at(-1)]
  if (first === undefined || last === undefined) return { changed: [], moved: [], rebuilt: [] }
  return {
    changed: [...changed, covered(stories, { first, last }, model)],
    moved: placing.changes().map(([member, story]) => inStory(member, story, namespace)),
    rebuilt: settled.map((day) => ({ day: dayName(day), up_to: nextOrder(stories, day) })),
  }
}

const inStory = (member: RememberedMember, story: string, namespace: string): RememberedMember => ({
  ...member,
  clusterId: story,
  founded: member.founded || story === clusterId(namespace, member.articleId),
})

function articlesAround({ index }: Stories, day: number, width: number): number {
  let articles = 0
  for (let d = day - width + 1; d <= day; d++) {
    for (const count of index.days.get(d)?.slots.values() ?? []) articles += count
  }
  return articles
}

const waiting = ({ days }: Stories, day: number) => [...(days.unsettled.get(day)?.values() ?? [])]

const nextOrder = (stories: Stories, day: number): number =>
  Math.max(...waiting(stories, day).map(({ order }) => order)) + 1

/** What was decided before this, on these days, is settled. */
function covered(
  stories: Stories,
  { first, last }: { readonly first: number; readonly last: number },
  { weights, versions }: Asked['model'],
): Changed {
  return {
    action: 'rebuilt',
    cluster_id: '',
    occurred_at: Math.max(...waiting(stories, last).map(({ features }) => features.time)),
    decision: { rule: 'linkage', chosen: null, runner_up: null, threshold: weights.rebuild.threshold, versions },
    change: { ...NO_CHANGE, rebuild_day: dayName(last), rebuilt_from: dayName(first) },
  }
}

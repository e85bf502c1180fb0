import type { CorrectionRequested } from '../../events/settings.ts'
import type { Store } from '../../ports/store.ts'
import { surviving } from '../../views/clusters/surviving-story.ts'
import { membersNow } from '../../views/corrections/queries.ts'
import { isProblem, problem, validationFailed, type Problem } from '../http/problem.ts'
import type { CorrectionBody } from './body.ts'

/** What of a correction depends on how the stories stand. */
export type CorrectionWish = Pick<CorrectionRequested, 'action' | 'cluster_id' | 'other_cluster_id' | 'article_ids'>

export interface CorrectedStory {
  readonly namespace: string
  /** As the caller names it: an id of a story that went into another stands for that one. */
  readonly cluster_id: string
  readonly now: number
}

/** The correction as the clusterer takes it, or why it makes no sense as the stories stand now. */
export async function wishOf(
  store: Store,
  target: CorrectedStory,
  body: CorrectionBody,
): Promise<CorrectionWish | Problem> {
  const own = await standsFor(store, target, target.cluster_id)
  if (isProblem(own)) return own
  if (body.action === 'split') return splitWish(store, target, { own, articleIds: body.article_ids })

  const [field, named] = otherOf(body)
  const other = await standsFor(store, target, named)
  if (isProblem(other)) return other
  if (own === other) return wrong(field, `is the same story as ${target.cluster_id}`)

  return pairWish(store, target, { body, own, other })
}

type PairBody = Exclude<CorrectionBody, { action: 'split' }>

interface PairCorrection {
  readonly body: PairBody
  readonly own: string
  readonly other: string
}

async function pairWish(
  store: Store,
  target: CorrectedStory,
  { body, own, other }: PairCorrection,
): Promise<CorrectionWish | Problem> {
  const wish = { action: body.action, cluster_id: own, other_cluster_id: other }
  switch (body.action) {
    case 'keep_apart':
      return { ...wish, article_ids: [] }
    case 'merge':
      return { ...wish, article_ids: await membersOf(store, target, other) }
    case 'move': {
      const members = await membersOf(store, target, own)
      if (members.includes(body.article_id)) return { ...wish, article_ids: [body.article_id] }
      return wrong('article_id', notAMember(body.article_id, target))
    }
  }
}

interface SplitCorrection {
  readonly own: string
  readonly articleIds: readonly string[]
}

async function splitWish(
  store: Store,
  target: CorrectedStory,
  { own, articleIds }: SplitCorrection,
): Promise<CorrectionWish | Problem> {
  const members = new Set(await membersOf(store, target, own))
  const strangers = articleIds.flatMap((id, i) => (members.has(id) ? [] : [{ id, path: `article_ids[${i}]` }]))
  if (strangers.length > 0) {
    return validationFailed(strangers.map(({ id, path }) => ({ path, message: notAMember(id, target) })))
  }
  const departing = [...new Set(articleIds)]
  if (departing.length === members.size) return wrong('article_ids', 'are all articles of the story: some must stay')
  return { action: 'split', cluster_id: own, other_cluster_id: null, article_ids: departing }
}

const otherOf = (body: PairBody): readonly [field: string, id: string] =>
  body.action === 'move' ? ['to_cluster_id', body.to_cluster_id] : ['other_cluster_id', body.other_cluster_id]

async function standsFor(
  store: Store,
  { namespace, now }: CorrectedStory,
  clusterId: string,
): Promise<string | Problem> {
  const story = await surviving(store, { namespace, cluster_id: clusterId, as_of: now })
  return story?.cluster_id ?? problem('cluster_not_found', `Cluster not found: ${clusterId}`)
}

async function membersOf(store: Store, { namespace }: CorrectedStory, clusterId: string): Promise<readonly string[]> {
  const rows = await membersNow(store)({ namespace, ids: [clusterId] })
  return rows.map(({ article_id }) => article_id)
}

const wrong = (path: string, message: string): Problem => validationFailed([{ path, message }])

const notAMember = (articleId: string, { cluster_id }: CorrectedStory): string =>
  `${articleId} is no article of ${cluster_id}`

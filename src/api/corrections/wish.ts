import { clusterNotFound } from '../clusters/parts.ts'
import type { CorrectionRequested } from '../../events/settings.ts'
import type { Store } from '../../ports/store.ts'
import { surviving } from '../../views/clusters/surviving-story.ts'
import { membersNow } from '../../views/corrections/queries.ts'
import { isProblem, validationFailed, type Problem } from '../http/problem.ts'
import { z } from '@hono/zod-openapi'

const reason = z.string().trim().max(500).nullish().describe('Free text; kept permanently in the history.')

const clusterId = (description: string) => z.string().min(1).max(100).describe(description)
const articleId = z.string().min(1).max(100)

/** The request body of a correction, by its `action`. */
export const CorrectionBody = z
  .discriminatedUnion('action', [
    z
      .object({
        action: z.literal('move'),
        article_id: articleId.describe('Member of the story.'),
        to_cluster_id: clusterId('Story that the article is moved to.'),
        reason,
      })
      .openapi('MoveArticle'),
    z
      .object({
        action: z.literal('merge'),
        other_cluster_id: clusterId('Story that is merged into this one.'),
        reason,
      })
      .openapi('MergeClusters'),
    z
      .object({
        action: z.literal('split'),
        article_ids: z
          .array(articleId)
          .min(1)
          .max(1_000)
          .describe('Members that become a new story; at least one member must remain.'),
        reason,
      })
      .openapi('SplitCluster'),
    z
      .object({
        action: z.literal('keep_apart'),
        other_cluster_id: clusterId('Story that must never be merged with this one.'),
        reason,
      })
      .openapi('KeepClustersApart'),
  ])
  .openapi('CorrectionRequest')

export type CorrectionBody = z.output<typeof CorrectionBody>

/** The parts of a correction that depend on the current stories. */
export type PlannedCorrection = Pick<CorrectionRequested, 'action' | 'cluster_id' | 'other_cluster_id' | 'article_ids'>

export interface CorrectedStory {
  readonly namespace: string
  /** The id that the caller sent. The id of a merged story refers to the story it was merged into. */
  readonly cluster_id: string
  readonly now: number
}

/** The correction as the clusterer expects it, or a problem if it does not fit the current stories. */
export async function planCorrection(
  store: Store,
  target: CorrectedStory,
  body: CorrectionBody,
): Promise<PlannedCorrection | Problem> {
  const own = await resolveStory(store, target, target.cluster_id)
  if (isProblem(own)) return own
  if (body.action === 'split') return planSplit(store, target, { own, articleIds: body.article_ids })

  const [field, named] = otherOf(body)
  const other = await resolveStory(store, target, named)
  if (isProblem(other)) return other
  if (own === other) return invalidValue(field, `is the same story as ${target.cluster_id}`)

  return planPairCorrection(store, target, { body, own, other })
}

type PairBody = Exclude<CorrectionBody, { action: 'split' }>

interface PairCorrection {
  readonly body: PairBody
  readonly own: string
  readonly other: string
}

async function planPairCorrection(
  store: Store,
  target: CorrectedStory,
  { body, own, other }: PairCorrection,
): Promise<PlannedCorrection | Problem> {
  const shared = { action: body.action, cluster_id: own, other_cluster_id: other }
  switch (body.action) {
    case 'keep_apart':
      return { ...shared, article_ids: [] }
    case 'merge':
      return { ...shared, article_ids: await membersOf(store, target, other) }
    case 'move': {
      const members = await membersOf(store, target, own)
      if (members.includes(body.article_id)) return { ...shared, article_ids: [body.article_id] }
      return invalidValue('article_id', notAMember(body.article_id, target))
    }
  }
}

interface SplitCorrection {
  readonly own: string
  readonly articleIds: readonly string[]
}

async function planSplit(
  store: Store,
  target: CorrectedStory,
  { own, articleIds }: SplitCorrection,
): Promise<PlannedCorrection | Problem> {
  const members = new Set(await membersOf(store, target, own))
  const nonMembers = articleIds.flatMap((id, i) => (members.has(id) ? [] : [{ id, path: `article_ids[${i}]` }]))
  if (nonMembers.length > 0) {
    return validationFailed(nonMembers.map(({ id, path }) => ({ path, message: notAMember(id, target) })))
  }
  const departing = [...new Set(articleIds)]
  if (departing.length === members.size)
    return invalidValue('article_ids', 'lists all articles of the story; at least one must remain')
  return { action: 'split', cluster_id: own, other_cluster_id: null, article_ids: departing }
}

const otherOf = (body: PairBody): readonly [field: string, id: string] =>
  body.action === 'move' ? ['to_cluster_id', body.to_cluster_id] : ['other_cluster_id', body.other_cluster_id]

async function resolveStory(
  store: Store,
  { namespace, now }: CorrectedStory,
  clusterId: string,
): Promise<string | Problem> {
  const story = await surviving(store, { namespace, cluster_id: clusterId, as_of: now })
  return story?.cluster_id ?? clusterNotFound(clusterId)
}

async function membersOf(store: Store, { namespace }: CorrectedStory, clusterId: string): Promise<readonly string[]> {
  const rows = await membersNow(store)({ namespace, ids: [clusterId] })
  return rows.map(({ article_id }) => article_id)
}

const invalidValue = (path: string, message: string): Problem => validationFailed([{ path, message }])

const notAMember = (articleId: string, { cluster_id }: CorrectedStory): string =>
  `${articleId} is not an article of ${cluster_id}`

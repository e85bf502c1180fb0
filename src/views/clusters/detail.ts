import type { Store } from '../../ports/store.ts'
import { clusterHistory, decisionWhy } from './decisions.ts'
import { clusterItem, type ClusterItem, type ClusterRow } from './item.ts'
import { clusterItems, clusterMembers } from './queries.ts'

type Rows<Query extends (store: Store) => (params: never) => Promise<readonly unknown[]>> = Awaited<
  ReturnType<ReturnType<Query>>
>[number]

type NamedEntity = Omit<ClusterRow['entities'][number], 'type'>
type ListedType = 'PERSON' | 'ORG' | 'GPE' | 'LOC' | 'EVENT'

export interface ClusterDetail extends ClusterItem {
  /** Nothing settles a membership yet: each was decided on arrival. */
  readonly membership: 'provisional'
  readonly representative_article_id: string
  readonly origin_count: number
  readonly publisher_count: number
  readonly first_published: string | null
  readonly last_published: string | null
  readonly entities: Record<ListedType, NamedEntity[]>
  readonly members: Rows<typeof clusterMembers>[]
  readonly history: Rows<typeof clusterHistory>[]
}

interface Wanted {
  readonly namespace: string
  readonly cluster_id: string
  /** Milliseconds since 1970. */
  readonly as_of: number
}

/** More than any story names; keeps one answer small whatever comes. */
const MAX_ENTITIES = 2_000

/** A cluster whole, as of a moment; null when it had no member then. */
export async function clusterDetail(store: Store, wanted: Wanted): Promise<ClusterDetail | null> {
  const { namespace, cluster_id, as_of } = wanted
  const ids = [cluster_id]
  const [[row], members, history] = await Promise.all([
    clusterItems(store)({ namespace, ids, as_of, max_entities: MAX_ENTITIES }),
    clusterMembers(store)({ namespace, ids, as_of }),
    clusterHistory(store)({ namespace, cluster_id, as_of }),
  ])
  if (row === undefined) return null

  return {
    ...clusterItem(row),
    membership: 'provisional',
    representative_article_id: row.representative_article_id,
    origin_count: row.origin_count,
    publisher_count: row.source_count,
    first_published: row.first_published,
    last_published: row.last_published,
    entities: byType(row.entities),
    members: [...members],
    history: [...history],
  }
}

const byType = (entities: ClusterRow['entities']): ClusterDetail['entities'] => {
  const ofType = (wanted: string): NamedEntity[] =>
    entities
      .filter(({ type }) => type === wanted)
      .map(({ id, name, mention_count, article_count }) => ({ id, name, mention_count, article_count }))
  return {
    PERSON: ofType('PERSON'),
    ORG: ofType('ORG'),
    GPE: ofType('GPE'),
    LOC: ofType('LOC'),
    EVENT: ofType('EVENT'),
  }
}

export interface Why {
  readonly cluster_id: string
  readonly article_id: string
  readonly event_id: string
  readonly decided_at: string
  readonly action: string
  readonly chosen: WhyCandidate | null
  readonly runner_up: WhyCandidate | null
  readonly threshold: number
  readonly versions: Record<string, string>
}

export interface WhyCandidate {
  readonly cluster_id: string
  readonly score: number
  readonly features: Record<string, number>
}

/** The recorded decision by which an article is in a cluster as of a moment; null when it is not there. */
export async function memberWhy(store: Store, wanted: Wanted & { readonly article_id: string }): Promise<Why | null> {
  const [row] = await decisionWhy(store)(wanted)
  if (row === undefined) return null

  const { cluster_id, article_id, event_id, decided_at, action, threshold, versions } = row
  return {
    ...{ cluster_id, article_id, event_id, decided_at, action, threshold, versions },
    chosen: candidate(row.chosen_cluster_id, row.chosen_score, row.chosen_features),
    runner_up: candidate(row.runner_up_cluster_id, row.runner_up_score, row.runner_up_features),
  }
}

const candidate = (
  cluster_id: string | null,
  score: number | null,
  features: Record<string, number>,
): WhyCandidate | null => (cluster_id === null || score === null ? null : { cluster_id, score, features })

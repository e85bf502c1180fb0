import type { Quotation, SummaryModel } from '../../language/summary/summarise.ts'
import type { Store } from '../../ports/store.ts'
import { surviving, type StoryQuery } from './surviving-story.ts'
import { namedHistory, splitInto, type NamedEvent } from './history.ts'
import { clusterItem, type ClusterItem, type ClusterRow } from './item.ts'
import { clusterItems, clusterMembers, subjectItems, subjectMembers } from './items.ts'
import { independent } from './independent-origins.ts'
import { storiesOf, subjectItem, subjectOf, type ListedStory } from './subjects.ts'
import { storySummary } from './summary.ts'
import type { RowOf } from '../query.ts'

type NamedEntity = Omit<ClusterRow['entities'][number], 'type'>
type ListedType = 'PERSON' | 'ORG' | 'GPE' | 'LOC' | 'EVENT'
type MemberRow = RowOf<typeof clusterMembers>
/** `origin` is the independent account it belongs to: as many different ones as `origin_count` says. */
type ClusterMember = Omit<MemberRow, 'content_hash' | 'from_origin'>

export interface ClusterDetail extends ClusterItem {
  readonly kind: 'event' | 'subject'
  /** The subject page that lists most of its articles; null: none does, or it is one. */
  readonly subject_id: string | null
  /** Of a subject page: its event stories, the newest first. */
  readonly stories?: ListedStory[]
  readonly summary: Quotation[]
  readonly representative_article_id: string
  readonly first_published: string | null
  readonly last_published: string | null
  readonly entities: Record<ListedType, NamedEntity[]>
  readonly members: ClusterMember[]
  readonly history: NamedEvent[]
  /** Stories that were split off this one. */
  readonly split_into: string[]
  /** Asked for by the id of a story that went into this one: this one's id, and when. Null: by its own. */
  readonly merged_into: string | null
  readonly merged_at: string | null
}

/** More than any story names; keeps one answer small whatever comes. */
const MAX_ENTITIES = 2_000

/** A story or a subject page whole, as of a moment; null when there was none such then. */
export const clusterDetail = async (
  store: Store,
  params: StoryQuery,
  model: SummaryModel,
): Promise<ClusterDetail | null> =>
  params.cluster_id.startsWith('sub_') ? subjectDetail(store, params, model) : storyDetail(store, params, model)

/** A subject page has no summary, no history and no successor: nothing happens to it but that it grows. */
async function subjectDetail(
  store: Store,
  { cluster_id, ...at }: StoryQuery,
  { weigh }: SummaryModel,
): Promise<ClusterDetail | null> {
  const type = { ...at, ids: [cluster_id] }
  const [[row], members, { stories, story_count }] = await Promise.all([
    subjectItems(store)({ ...type, max_entities: MAX_ENTITIES }),
    subjectMembers(store)(type),
    storiesOf(store, { ...at, subject: cluster_id }),
  ])
  if (row === undefined) return null

  return {
    ...subjectItem(row, { story_count, weigh }),
    subject_id: null,
    stories,
    summary: [],
    ...described(row),
    members: shown(members),
    ...{ history: [], split_into: [], merged_into: null, merged_at: null },
  }
}

const described = (row: ClusterRow) => ({
  representative_article_id: row.representative_article_id,
  first_published: row.first_published,
  last_published: row.last_published,
  entities: byType(row.entities),
})

/** A story, of whatever id that stands for it. */
async function storyDetail(store: Store, params: StoryQuery, model: SummaryModel): Promise<ClusterDetail | null> {
  const story = await surviving(store, params)
  if (story === null) return null

  const { namespace, as_of } = params
  const { cluster_id, merged_at } = story
  const type = { namespace, as_of, ids: [cluster_id] }
  const [[row], members, history, split_into] = await Promise.all([
    clusterItems(store)({ ...type, max_entities: MAX_ENTITIES }),
    clusterMembers(store)(type),
    namedHistory(store, { namespace, as_of, cluster_id }),
    splitInto(store, { namespace, as_of, cluster_id }),
  ])
  if (row === undefined) return null

  const articles = members.map(({ article_id }) => article_id)
  const [subject_id, summary] = await Promise.all([
    subjectOf(store, { namespace, as_of, articles }),
    storySummary(store, { namespace, members, headline: row.title ?? '' }, model),
  ])
  return {
    ...{ ...clusterItem(row), kind: 'event', subject_id, summary },
    ...described(row),
    members: shown(members),
    history,
    split_into,
    merged_into: merged_at === null ? null : cluster_id,
    merged_at,
  }
}

function shown(members: readonly MemberRow[]): ClusterMember[] {
  const roots = independent(members)
  return members.map((member) => ({
    article_id: member.article_id,
    title: member.title,
    source: member.source,
    url: member.url,
    published_date: member.published_date,
    genre: member.genre,
    similarity: member.similarity,
    assignment_confidence: member.assignment_confidence,
    is_duplicate_of: member.is_duplicate_of,
    derived_from: member.derived_from,
    publisher_family: member.publisher_family,
    origin: roots.get(member.origin) ?? member.origin,
  }))
}

const byType = (entities: ClusterRow['entities']): ClusterDetail['entities'] => {
  const ofType = (params: string): NamedEntity[] =>
    entities
      .filter(({ type }) => type === params)
      .map(({ id, name, mention_count, article_count }) => ({ id, name, mention_count, article_count }))
  return {
    PERSON: ofType('PERSON'),
    ORG: ofType('ORG'),
    GPE: ofType('GPE'),
    LOC: ofType('LOC'),
    EVENT: ofType('EVENT'),
  }
}

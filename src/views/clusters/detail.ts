import type { SummaryModel } from '../../language/summary/summarise.ts'
import type { Store } from '../../ports/store.ts'
import type { RowOf } from '../query.ts'
import { independent } from './as-of.ts'
import { namedHistory, splitInto } from './history.ts'
import { clusterItem, type ClusterRow } from './item.ts'
import { clusterItems, clusterMembers, shownMember, subjectItems, subjectMembers } from './items.ts'
import { storiesOf, subjectItem, subjectOf } from './subjects.ts'
import { storySummary } from './summary.ts'
import { surviving, type StoryQuery } from './surviving-story.ts'

/** More than any real story mentions. Bounds the size of a response. */
const MAX_ENTITIES = 2_000

/** A story, and the languages to quote it in (ISO 639-1), the first preferred: English by default. */
interface StoryDetailQuery extends StoryQuery {
  readonly languages?: readonly string[] | undefined
}

/** All details of a story or a subject page as of a point in time; `null` if there was none. */
export const clusterDetail = async (store: Store, params: StoryDetailQuery, model: SummaryModel) =>
  params.cluster_id.startsWith('sub_') ? subjectDetail(store, params, model) : storyDetail(store, params, model)

/** A subject page only grows, so it has no summary, no history and no successor. */
async function subjectDetail(store: Store, { cluster_id, ...at }: StoryQuery, { weigh }: SummaryModel) {
  const page = { ...at, ids: [cluster_id] }
  const [[row], members, { stories, story_count }] = await Promise.all([
    subjectItems(store)({ ...page, max_entities: MAX_ENTITIES }),
    subjectMembers(store)(page),
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
    history: [],
    split_into: [],
    merged_into: null,
    merged_at: null,
  }
}

/** A story by its id or the id of a story merged into it; in the second case `merged_into` and `merged_at` are set. */
async function storyDetail(store: Store, params: StoryDetailQuery, model: SummaryModel) {
  const story = await surviving(store, params)
  if (story === null) return null

  const { namespace, as_of, languages } = params
  const { cluster_id, merged_at } = story
  const one = { namespace, as_of, ids: [cluster_id] }
  const [[row], members, history, split_into] = await Promise.all([
    clusterItems(store)({ ...one, max_entities: MAX_ENTITIES }),
    clusterMembers(store)(one),
    namedHistory(store, { namespace, as_of, cluster_id }),
    splitInto(store, { namespace, as_of, cluster_id }),
  ])
  if (row === undefined) return null

  const articles = members.map(({ article_id }) => article_id)
  const [subject_id, summary] = await Promise.all([
    subjectOf(store, { namespace, as_of, articles }),
    storySummary(store, { namespace, members, headline: row.title ?? '', languages }, model),
  ])
  return {
    ...clusterItem(row),
    kind: 'event' as const,
    subject_id,
    summary,
    ...described(row),
    members: shown(members),
    history,
    split_into,
    merged_into: merged_at === null ? null : cluster_id,
    merged_at,
  }
}

const described = ({ representative_article_id, first_published, last_published, entities }: ClusterRow) => ({
  representative_article_id,
  first_published,
  last_published,
  entities: {
    PERSON: ofType(entities, 'PERSON'),
    ORG: ofType(entities, 'ORG'),
    GPE: ofType(entities, 'GPE'),
    LOC: ofType(entities, 'LOC'),
    EVENT: ofType(entities, 'EVENT'),
  },
})

const ofType = (entities: ClusterRow['entities'], named: string) =>
  entities
    .filter(({ type }) => type === named)
    .map(({ id, name, mention_count, article_count }) => ({ id, name, mention_count, article_count }))

/** `origin` identifies the independent source of a member; there are `origin_count` distinct values. */
function shown(members: readonly RowOf<typeof clusterMembers>[]) {
  const roots = independent(members)
  return members.map((member) => shownMember.parse({ ...member, origin: roots.get(member.origin) ?? member.origin }))
}

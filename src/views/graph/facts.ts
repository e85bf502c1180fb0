import { ENTITY_TYPES, type EntityType } from '../../events/articles.ts'
import { pasts, type Pasts, type StoryPast } from '../../domain/graph/past.ts'
import type { GraphRules } from '../../domain/graph/rules.ts'
import { significant, type NamedCount } from '../../domain/graph/significant.ts'
import type { GraphStory, LedgerLink } from '../../domain/graph/story.ts'
import { countWords, titleWords } from '../../domain/graph/title-words.ts'
import type { Store } from '../../ports/store.ts'
import { storyArticles, storyCentres, storyPasts } from './story-facts.ts'

/** A namespace up to a place in the ledger. */
export interface GraphFactsUpTo {
  readonly namespace: string
  /** Offset in `articles.clustered`, exclusive. */
  readonly position: number
}

/** A story whose centre is read when somebody asks for it: few links are decided by it. */
export interface ReadStory extends GraphStory {
  /** Offset of the first word that put an article there: of no two stories the same. */
  readonly opened: number
  /** Where its newest article came. */
  readonly newest: number
  readonly articles: number
  centre: Int32Array
}

export interface GraphStoryFacts {
  /** All that have articles; nobody's centre is there yet. */
  readonly stories: readonly ReadStory[]
  readonly ledger: readonly LedgerLink[]
  /** Event time of the word of the ledger that a link says, by the story it starts from. */
  readonly linkedAt: ReadonlyMap<string, number>
}

/** So many rows at once, or a namespace of a million stories would be one answer. */
export const ROWS_A_PART = 100_000
export const partsOf = (rows: number): number => Math.max(1, Math.ceil(rows / ROWS_A_PART))

const DIM = 384
const NO_CENTRE = new Int32Array(DIM)

type ArticlesRow = Awaited<ReturnType<ReturnType<typeof storyArticles>>>[number]
type PastRow = Awaited<ReturnType<ReturnType<typeof storyPasts>>>[number]

/** What the graph over stories is made of. `count`: how many stories there are, or somewhat more. */
export async function storyFacts(
  store: Store,
  { count, ...upTo }: GraphFactsUpTo & { readonly count: number },
  rules: GraphRules,
): Promise<GraphStoryFacts> {
  const parts = partsOf(count)
  const ways: PastRow[] = []
  const rows: ArticlesRow[] = []
  for (let part = 0; part < parts; part++) {
    ways.push(...(await storyPasts(store)({ ...upTo, parts, part })))
    rows.push(...(await storyArticles(store)({ ...upTo, parts, part })))
  }
  const wayOf = new Map(ways.map((way) => [way.cluster_id, way]))

  const living = new Set(rows.map(({ cluster_id }) => cluster_id))
  const known = pasts([
    ...rows.map((row) => pastOf(row, wayOf.get(row.cluster_id), true)),
    ...ways.filter(({ cluster_id }) => !living.has(cluster_id)).map((way) => pastOf(way, way, false)),
  ])
  return {
    stories: rows.map((row) => storyOf(row, known, rules)),
    ledger: ways.flatMap(({ cluster_id }) => known.linksFrom(cluster_id)),
    linkedAt: new Map(
      ways.map(({ cluster_id, ...way }) => [cluster_id, living.has(cluster_id) ? way.split_at : way.merged_at]),
    ),
  }
}

const pastOf = (
  { cluster_id, opened }: Pick<ArticlesRow, 'cluster_id' | 'opened'>,
  way: PastRow | undefined,
  living: boolean,
): StoryPast => ({
  cluster_id,
  order: opened,
  living,
  split_from: orNull(way?.split_from),
  merged_into: orNull(way?.merged_into),
})

const orNull = (id: string | undefined): string | null => (id === undefined || id === '' ? null : id)

function storyOf(row: ArticlesRow, known: Pasts, rules: GraphRules): ReadStory {
  const { cluster_id, first_at, last_at, opened, newest } = row
  return {
    ...{ cluster_id, first_at, last_at, opened, newest, articles: row.ids.length },
    entities: significant(namedIn(row), row.ids.length, rules),
    founded: known.foundingOf(cluster_id) ?? { cluster_id, order: opened },
    centre: NO_CENTRE,
    words: titleWords(countWords(row.titles), row.ids.length),
  }
}

/** What is named in all articles of a story, each counted once an article. */
function namedIn({ ids, types, mentions }: Pick<ArticlesRow, 'ids' | 'types' | 'mentions'>): readonly NamedCount[] {
  const articles = ids.map((named, i) => namedBy(words(named), words(types[i]), words(mentions[i])))
  const [only] = articles
  if (articles.length === 1 && only !== undefined) return only

  const story = new Map<string, NamedCount>()
  for (const article of articles) {
    for (const entity of article) {
      const before = story.get(entity.entity_id)
      story.set(entity.entity_id, before === undefined ? entity : together(before, entity, before.articles + 1))
    }
  }
  return [...story.values()]
}

/** What one article names. */
function namedBy(ids: readonly string[], types: readonly string[], mentions: readonly string[]): readonly NamedCount[] {
  const named = ids.map((entity_id, i): NamedCount => ({
    entity_id,
    type: typeOf(types[i]),
    articles: 1,
    mentions: Number(mentions[i]),
  }))
  if (new Set(ids).size === ids.length) return named
  const each = new Map<string, NamedCount>()
  for (const entity of named) {
    const before = each.get(entity.entity_id)
    each.set(entity.entity_id, before === undefined ? entity : together(before, entity, 1))
  }
  return [...each.values()]
}

const together = (one: NamedCount, other: NamedCount, articles: number): NamedCount => ({
  ...{ entity_id: one.entity_id, type: one.type, articles },
  mentions: one.mentions + other.mentions,
})

const words = (text: string | undefined): string[] => (text === undefined || text === '' ? [] : text.split(' '))

const TYPES = new Map<string, EntityType>(ENTITY_TYPES.map((type) => [type, type]))

function typeOf(text: string | undefined): EntityType {
  const type = TYPES.get(text ?? '')
  if (type === undefined) throw new Error(`there is no type of entities ${text ?? ''}`)
  return type
}

/** As many numbers as one value in the address of a question to the store holds: 128 KiB. */
const AT_ONCE = 8_000

/** Reads the centres of some stories, and puts them there. */
export async function readCentres(store: Store, upTo: GraphFactsUpTo, stories: ReadonlySet<ReadStory>): Promise<void> {
  const byId = new Map([...stories].map((story) => [story.cluster_id, story]))
  const opened = [...stories].map((story) => story.opened)
  for (let from = 0; from < opened.length; from += AT_ONCE) {
    const rows = await storyCentres(store)({ ...upTo, opened: opened.slice(from, from + AT_ONCE) })
    for (const { cluster_id, packed } of rows) {
      const story = byId.get(cluster_id)
      if (story !== undefined) story.centre = int32s(Buffer.from(packed, 'base64'))
    }
  }
}

/** As the store and this machine have them: little-endian. */
const int32s = (bytes: Buffer): Int32Array =>
  new Int32Array(Uint8Array.prototype.slice.call(bytes, 0, DIM * Int32Array.BYTES_PER_ELEMENT).buffer)

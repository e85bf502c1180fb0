import fc from 'fast-check'
import { expect, it } from 'vitest'
import { articlesScored } from '../../../src/events/articles.ts'
import { articlesAnalyzed } from '../../../src/events/articles.ts'
import { articlesClustered } from '../../../src/events/ledger.ts'
import { listArticles, type ArticleListQuery } from '../../../src/views/articles/list.ts'
import { A_DAY, aScoredArticle } from '../../builders/articles.ts'
import { sized } from '../../builders/sizes.ts'
import { aClusteredArticle, anAnalyzedArticle, anEntity } from '../../builders/views.ts'
import { aNamespace, viewsDatabase } from '../views-database.ts'

const { store, writer } = viewsDatabase()

const HOUR_MS = 3_600_000

/** One revision of an article, in the order of the log; small enough to read in a counterexample. */
interface ListedRevision {
  readonly article: number
  /** Hours after `A_DAY`. */
  readonly at: number
  readonly title: string
  readonly text: string
  readonly outlet: string
  readonly language: string
  readonly forwarded: boolean
  readonly names: readonly string[]
  readonly story: number
}

const aRevision: fc.Arbitrary<ListedRevision> = fc.record({
  article: fc.nat(4),
  at: fc.integer({ min: -3, max: 3 }),
  title: fc.constantFrom('Flood in Oslo', 'Fire'),
  text: fc.constantFrom('The river rose.', 'Smoke over the river.'),
  outlet: fc.constantFrom('Élysée Times', 'beta.example'),
  language: fc.constantFrom('en', 'de'),
  forwarded: fc.boolean(),
  names: fc.subarray(['Ada', 'Bo']),
  story: fc.nat(1),
})

interface ListedFilters {
  readonly from: number
  readonly until: number
  readonly as_of: number
  readonly name: string | null
  readonly story: number | null
  readonly words: readonly string[]
  readonly outlet: string | null
  readonly languages: readonly string[]
  readonly below_gate: boolean
  readonly limit: number
}

const filters: fc.Arbitrary<ListedFilters> = fc.record({
  from: fc.integer({ min: -4, max: 2 }),
  until: fc.integer({ min: -3, max: 4 }),
  as_of: fc.integer({ min: -2, max: 4 }),
  name: fc.constantFrom(null, 'Ada', 'Bo'),
  story: fc.constantFrom(null, 0, 1),
  words: fc.constantFrom([], ['RIVER'], ['flood', 'river']),
  outlet: fc.constantFrom(null, 'élysée times', 'beta.example'),
  languages: fc.constantFrom([], ['de'], ['de', 'en']),
  below_gate: fc.boolean(),
  limit: fc.integer({ min: 1, max: 3 }),
})

const idOf = (article: number): string => `art_${article}`.padEnd(30, 'a')
const storyOf = (story: number): string => `sto_${story}`.padEnd(30, 'a')
const timeOf = (hours: number): number => A_DAY + hours * HOUR_MS

/** The newest revision of each article as of a point in time, newest article first. */
function expected(revisions: readonly ListedRevision[], filter: ListedFilters): string[] {
  const newest = new Map<number, ListedRevision>()
  for (const revision of revisions) if (revision.at <= filter.as_of) newest.set(revision.article, revision)
  return [...newest.values()]
    .filter(({ at }) => at > filter.from && at <= Math.min(filter.until, filter.as_of))
    .filter(({ forwarded }) => forwarded || filter.below_gate)
    .filter(({ language }) => filter.languages.length === 0 || filter.languages.includes(language))
    .filter(({ outlet }) => filter.outlet === null || outlet.toLowerCase() === filter.outlet)
    .filter(({ title, text }) =>
      filter.words.every((word) => `${title} ${text}`.toLowerCase().includes(word.toLowerCase())),
    )
    .filter(({ names }) => filter.name === null || names.includes(filter.name))
    .filter(({ story }) => filter.story === null || story === filter.story)
    .sort((a, b) => b.at - a.at || (idOf(a.article) < idOf(b.article) ? 1 : -1))
    .map(({ article }) => idOf(article))
}

async function written(namespace: string, revisions: readonly ListedRevision[]): Promise<void> {
  const base = (revision: ListedRevision, index: number) => ({
    ...{ namespace, article_id: idOf(revision.article), content_hash: `${index}`.padStart(32, '0') },
    ...{ occurred_at: timeOf(revision.at), published_date: timeOf(revision.at), title: revision.title },
    ...{ source: revision.outlet, url: `https://www.${idOf(revision.article)}.example/`, language: revision.language },
  })
  await writer.write(
    articlesScored,
    revisions.map((revision, i) =>
      aScoredArticle({ ...base(revision, i), text: revision.text, forwarded: revision.forwarded }),
    ),
  )
  await writer.write(
    articlesAnalyzed,
    revisions.map((revision, i) =>
      anAnalyzedArticle({ ...base(revision, i), entities: revision.names.map((name) => anEntity(name)) }),
    ),
  )
  await writer.write(
    articlesClustered,
    revisions.map((revision, i) => aClusteredArticle({ ...base(revision, i), cluster_id: storyOf(revision.story) })),
  )
}

it('lists exactly the articles that match, newest first, on pages that miss and repeat none', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(aRevision, { maxLength: 8 }),
      fc.array(filters, { minLength: 1, maxLength: 4 }),
      async (revisions, requests) => {
        const namespace = aNamespace()
        await written(namespace, revisions)
        for (const filter of requests) {
          expect(await allPages(namespace, filter)).toEqual(expected(revisions, filter))
        }
      },
    ),
    { numRuns: sized(15, 60) },
  )
})

async function allPages(namespace: string, filter: ListedFilters): Promise<string[]> {
  const { name, story, words, outlet, languages, below_gate, limit } = filter
  const found: string[] = []
  let cursor: string | undefined
  do {
    const request: ArticleListQuery = {
      ...{ namespace, words, outlet, languages, below_gate, limit, cursor, as_of_given: true },
      ...{ as_of: timeOf(filter.as_of), from: timeOf(filter.from), until: timeOf(filter.until) },
      entity_ids: name === null ? null : [anEntity(name).entity_id],
      cluster_id: story === null ? null : storyOf(story),
    }
    const page = await listArticles(store, request)
    found.push(...page.articles.map(({ article_id }) => article_id))
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return found
}

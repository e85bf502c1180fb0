import fc from 'fast-check'
import { expect, it } from 'vitest'
import { articleEntry, storyEntry, tombstone, type ArticleOrStory, type Entry } from './entry.ts'
import { evolveNamespace, type PartitionState } from './namespaces.ts'
import {
  emptiedBy,
  evictedArticles,
  forgetStories,
  putArticle,
  putStory,
  storyIndex,
  type StoriesHeld,
  type StoryRules,
} from './story-index.ts'

type TestArticle = { readonly article_id: string; readonly cluster_id: string; readonly arrival: number }
type TestKnown = { readonly cluster_id: string; readonly title: string }
type TestStory = { readonly clusterId: string; readonly articles: Set<TestArticle>; known: TestKnown | null }
type Value = ArticleOrStory<TestArticle, TestKnown>
type State = PartitionState<StoriesHeld<TestArticle, TestStory>>

const rules: StoryRules<TestArticle, TestStory> = {
  open: (clusterId) => ({ clusterId, articles: new Set(), known: null }),
  clusterOf: ({ cluster_id }) => cluster_id,
  add: ({ articles }, article) => articles.add(article),
  remove: ({ articles }, article) => articles.delete(article),
}

const evolve = (state: State, update: Entry<Value>): State =>
  evolveNamespace(state, update, {
    open: () => storyIndex<TestArticle, TestStory>(({ arrival }) => arrival),
    apply: (index, { kind, id, value }) => {
      if (kind === 'article') putArticle(index, { id, article: value?.article ?? null }, rules)
      else putStory(index, { id, known: value?.story ?? null }, rules)
    },
    isEmpty: ({ articles, stories }) => articles.size + stories.size === 0,
  })

const stateOf = (updates: Iterable<Entry<Value>>): State =>
  [...updates].reduce(evolve, { namespaces: new Map(), size: 0 })

const contentOf = ({ namespaces, size }: State) => ({
  size,
  namespaces: [...namespaces]
    .map(([name, { articles, stories }]) => ({
      name,
      articles: [...articles.inOrder()],
      stories: [...stories.values()]
        .map(({ clusterId, known, articles: own }) => ({
          clusterId,
          known,
          own: [...own].map(({ article_id }) => article_id).sort(),
        }))
        .sort((a, b) => (a.clusterId < b.clusterId ? -1 : 1)),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1)),
})

const namespace = fc.constantFrom('shared', 'acme')
const number = fc.nat({ max: 5 })
const anUpdate: fc.Arbitrary<Entry<Value>> = fc.oneof(
  fc
    .tuple(namespace, number, number)
    .map(([name, id, story]) =>
      articleEntry(name, { article_id: `art_${id}`, cluster_id: `sto_${story}`, arrival: id }),
    ),
  fc.tuple(namespace, number).map(([name, id]) => tombstone(`${name}:article:art_${id}`)),
  fc.tuple(namespace, number).map(([name, id]) => storyEntry(name, { cluster_id: `sto_${id}`, title: 'Flood' })),
  fc.tuple(namespace, number).map(([name, id]) => tombstone(`${name}:story:sto_${id}`)),
)

it('is the same restored from the newest update of each key, in any order', () => {
  fc.assert(
    fc.property(fc.array(anUpdate, { maxLength: 60 }), fc.boolean(), (updates, isReversed) => {
      const newest = [...new Map(updates.map((one) => [one.key, one])).values()]

      expect(contentOf(stateOf(isReversed ? newest.reverse() : newest))).toEqual(contentOf(stateOf(updates)))
    }),
  )
})

it('has each article in its story alone, and no story without an article or a known fact', () => {
  fc.assert(
    fc.property(fc.array(anUpdate, { maxLength: 60 }), (updates) => {
      const held = [...stateOf(updates).namespaces.values()]

      for (const { articles, stories } of held) {
        for (const [clusterId, { articles: own, known }] of stories) {
          expect(own.size > 0 || known !== null).toBe(true)
          expect([...own].filter(({ cluster_id }) => cluster_id !== clusterId)).toEqual([])
        }
        expect([...stories.values()].reduce((sum, { articles: own }) => sum + own.size, 0)).toBe(articles.size)
      }
    }),
  )
})

it('evicts the oldest articles, and what is known of the stories that end with them', () => {
  const article = (id: number, story: string) =>
    articleEntry('shared', { article_id: `art_${id}`, cluster_id: story, arrival: id })
  const known = (story: string) => storyEntry('shared', { cluster_id: story, title: 'Flood' })
  const state = stateOf([article(1, 'sto_a'), known('sto_a'), article(2, 'sto_b'), known('sto_b'), article(3, 'sto_b')])

  const evicted = evictedArticles(state, { namespace: 'shared', budget: 2 })

  expect(evicted.map(({ articles }) => articles.map(({ article_id }) => article_id))).toEqual([['art_1', 'art_2']])
  const ends = evicted.flatMap(({ namespace: name, held, articles }) =>
    forgetStories(
      name,
      emptiedBy(
        articles,
        ({ cluster_id }) => [held.stories.get(cluster_id) ?? []].flat(),
        ({ articles: own }) => own.size,
      ),
    ),
  )
  expect(ends).toEqual([tombstone('shared:story:sto_a')])
})

import type { components } from '../../../sdk/src/index.ts'
import { Words } from '../parts/fields.tsx'
import { Empty, Shown } from '../parts/states.tsx'
import { Outlet } from '../parts/summary.tsx'
import { Independence } from '../parts/story-parts.tsx'
import { useTitle } from '../parts/title.ts'
import { useAnswer } from '../state/answer.ts'
import { asOf, link, parameter } from '../state/place.ts'
import { bodyOf } from '../state/service.ts'
import { counted, dayOf, percent } from '../words/format.ts'

type PageCluster = components['schemas']['Cluster']
type SearchResult = components['schemas']['SearchResult']

/** Articles near in meaning to some words, and stories that use them. */
export function SearchPage() {
  useTitle('Search')
  const words = parameter('q')
  return (
    <>
      <h1>Search</h1>
      <div class="filters">
        <Words name="q" label="What happened?" placeholder="earthquake off the coast" />
      </div>
      {words === '' ? (
        <Empty title="Search by meaning">
          <p>
            Articles are found by what they say, not only by the words they use. Stories are found by words and names.
          </p>
        </Empty>
      ) : (
        <div class="columns even">
          <Articles words={words} />
          <Stories words={words} />
        </div>
      )}
    </>
  )
}

function Articles({ words }: { readonly words: string }) {
  const as_of = asOf()
  const reply = useAnswer({
    name: `search ${words} ${as_of ?? ''}`,
    ask: async (api, signal) => {
      const query = { query: words, limit: 15, ...(as_of === undefined ? {} : { as_of }) }
      const found = bodyOf(await api.GET('/layer0/v1/search', { params: { query }, signal }))
      return 'total' in found ? found.results : []
    },
  })
  return (
    <section aria-label="Articles">
      <h2>Articles, nearest in meaning first</h2>
      <Shown reply={reply} what="articles">
        {(found) => (found.length === 0 ? <Empty title="No article has come in yet" /> : <Results found={found} />)}
      </Shown>
    </section>
  )
}

const Results = ({ found }: { readonly found: readonly SearchResult[] }) => (
  <>
    <p class="quiet">A headline opens the story that the article is in, and why it is there.</p>
    <ol class="results">
      {found.map((article) => (
        <Hit key={article.article_id} {...article} />
      ))}
    </ol>
  </>
)

function Hit({
  article_id,
  cluster_id,
  title,
  source,
  url,
  published_date,
  similarity_score,
  quality_score,
}: SearchResult) {
  const headline = <strong>{title ?? `Without a headline, of ${source ?? 'an unknown outlet'}`}</strong>
  return (
    <li>
      {cluster_id === null ? (
        <span data-item tabIndex={-1}>
          {headline}
        </span>
      ) : (
        <a href={link('stories', cluster_id, { article: article_id })} data-item>
          {headline}
        </a>
      )}
      <span class="facts">
        <Outlet name={source ?? 'unknown outlet'} url={url} />
        {cluster_id === null && <span>in no story</span>}
        <span title="Cosine similarity to the words">{percent(similarity_score)} near</span>
        <span>quality {percent(quality_score)}</span>
        {published_date !== null && <span>{dayOf(published_date)}</span>}
      </span>
    </li>
  )
}

function Stories({ words }: { readonly words: string }) {
  const as_of = asOf()
  const reply = useAnswer({
    name: `stories with ${words} ${as_of ?? ''}`,
    ask: async (api, signal) => {
      const query = { topic: words, time_range: '30d' as const, min_articles: 1, limit: 15, ...(as_of && { as_of }) }
      return bodyOf(await api.GET('/v1/clusters', { params: { query }, signal })).clusters
    },
  })
  return (
    <section>
      <h2>Stories of 30 days with all these words</h2>
      <Shown reply={reply} what="stories">
        {(clusters) =>
          clusters.length === 0 ? (
            <Empty title="No story of these 30 days has all these words" />
          ) : (
            <StoryResults clusters={clusters} />
          )
        }
      </Shown>
    </section>
  )
}

const StoryResults = ({ clusters }: { readonly clusters: readonly PageCluster[] }) => (
  <ol class="results">
    {clusters.map((cluster) => (
      <li key={cluster.id}>
        <a href={link('stories', cluster.id)} data-item>
          <strong>{cluster.title === '' ? 'Untitled' : cluster.title}</strong>
          <span class="facts">
            <Independence story={cluster} />
            <span>{counted(cluster.article_count, 'article')}</span>
          </span>
        </a>
      </li>
    ))}
  </ol>
)

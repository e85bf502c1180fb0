import { Download } from '../parts/download.tsx'
import { EmptyList } from '../parts/empty-list.tsx'
import { SearchField } from '../parts/fields.tsx'
import { Empty, Shown } from '../parts/states.tsx'
import { Independence, Outlet } from '../parts/story-parts.tsx'
import { useGet } from '../state/answer.ts'
import { asOf, link, parameter, useTitle } from '../state/place.ts'
import { counted, dayOf, percent, titled } from '../words/format.ts'
import type { ApiSchemas } from '../words/schemas.ts'

/** Articles by meaning, and stories by words. */
export function SearchPage() {
  useTitle('Search')
  const words = parameter('q')
  return (
    <>
      <h1>Search</h1>
      <div class="filters">
        <SearchField name="q" label="Search for" placeholder="earthquake off the coast" />
      </div>
      {words === '' ? (
        <Empty title="Search by meaning">
          <p>Articles are found by meaning. Stories are found by words and names.</p>
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
  const query = { query: words, limit: 15, as_of: asOf() }
  const reply = useGet('/layer0/v1/search', query)
  return (
    <section aria-label="Articles">
      <h2>Articles, most similar first</h2>
      <Shown reply={reply} what="articles">
        {(found) =>
          'total' in found && found.results.length > 0 ? (
            <>
              <Download path="/layer0/v1/search" query={query} list="results" name="articles" />
              <Results found={found.results} />
            </>
          ) : (
            <EmptyList title="No articles found" />
          )
        }
      </Shown>
    </section>
  )
}

const Results = ({ found }: { readonly found: readonly ApiSchemas['SearchResult'][] }) => (
  <>
    <p class="quiet">Select a headline to see its story and why the article is included.</p>
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
}: ApiSchemas['SearchResult']) {
  const headline = <strong>{title ?? `Article without a headline from ${source ?? 'an unknown outlet'}`}</strong>
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
        {cluster_id === null && <span>not in a story</span>}
        <span title="Cosine similarity to the query">{percent(similarity_score)} similar</span>
        <span>quality {percent(quality_score)}</span>
        {published_date !== null && <span>{dayOf(published_date)}</span>}
      </span>
    </li>
  )
}

function Stories({ words }: { readonly words: string }) {
  const query = { topic: words, time_range: '30d', min_articles: 1, limit: 15, as_of: asOf() }
  const reply = useGet('/v1/clusters', query)
  return (
    <section>
      <h2>Stories of the last 30 days with all words</h2>
      <Shown reply={reply} what="stories">
        {({ clusters }) =>
          clusters.length === 0 ? (
            <Empty title="No stories of the last 30 days contain all words" />
          ) : (
            <>
              <Download path="/v1/clusters" query={query} list="clusters" name="stories" />
              <StoryResults clusters={clusters} />
            </>
          )
        }
      </Shown>
    </section>
  )
}

const StoryResults = ({ clusters }: { readonly clusters: readonly ApiSchemas['Cluster'][] }) => (
  <ol class="results">
    {clusters.map((cluster) => (
      <li key={cluster.id}>
        <a href={link('stories', cluster.id)} data-item>
          <strong>{titled(cluster.title)}</strong>
          <span class="facts">
            <Independence story={cluster} />
            <span>{counted(cluster.article_count, 'article')}</span>
          </span>
        </a>
      </li>
    ))}
  </ol>
)

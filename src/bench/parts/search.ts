import type { OwnService } from '../own-service.ts'
import { benchSearch, type Latency, type SearchFigure } from '../search-bench.ts'
import { loadConfig } from '../../config/config.ts'
import { connect } from '../../wiring/connect.ts'
import type { BenchResult, BenchPart, BenchSetting } from './part.ts'
import { scoredArticles } from './scored-articles.ts'

const ARTICLES = 100_000
/** Their titles are the queries; they are not among what is searched. */
const QUERIES = 100

export const search: BenchPart = {
  says: `article and token search over ${ARTICLES.toLocaleString('en')} articles, compared with a float32 scan (minutes)`,
  inService: measure,
}

async function measure({ articles, wiring: { out } }: BenchSetting, service: OwnService): Promise<BenchResult> {
  const own = connect(loadConfig(service.environment), service.environment)
  try {
    const titled = articles.filter(({ title }) => title !== null)
    const queries = titled.slice(0, Math.min(QUERIES, Math.floor(titled.length / 2)))
    const figures = await benchSearch({
      store: await own.store(),
      real: await scoredArticles(
        articles.filter((article) => !queries.includes(article)),
        own,
      ),
      queries: await (await own.encoder()).sentences(queries.map(({ title }) => title ?? '')),
      articles: ARTICLES,
      onProgress: (line) => out.progress(line),
    })
    return { figures, lines: table(figures) }
  } finally {
    await own.close()
  }
}

const latency = ({ p50, p95 }: Latency): string =>
  `p50 ${p50.toFixed(0).padStart(5)} ms   p95 ${p95.toFixed(0).padStart(5)} ms`

const table = (f: SearchFigure): readonly string[] => [
  `  ${f.articles.toLocaleString('en')} articles, ${f.tokens.toLocaleString('en')} tokens (filled in ${f.fill_seconds.toFixed(0)} s)`,
  `  articles                     ${latency(f.article_search)}`,
  `  articles, two at a time      ${latency(f.article_search_two_at_a_time)}`,
  `  articles, while inserting    ${latency(f.article_search_while_inserting)}`,
  `  tokens                       ${latency(f.token_search)}`,
  `  tokens, two at a time        ${latency(f.token_search_two_at_a_time)}`,
  `  tokens, while inserting      ${latency(f.token_search_while_inserting)}`,
  `  plain float32 scan           ${latency(f.baseline)}   ${f.ratio.toFixed(1)} times as long (p50)`,
  `  recall@10 against exact      ${f.recall_at_10.toFixed(4)}`,
]

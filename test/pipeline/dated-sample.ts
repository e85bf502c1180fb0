import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { projectPath } from '../../src/config/project-path.ts'

export type SampleArticle = Record<string, unknown> & { readonly text: string }

/** The shipped sample, unchanged: undated. */
export const sampleArticles = (count: number): SampleArticle[] =>
  gunzipSync(readFileSync(projectPath('samples/ecbplus.jsonl.gz')))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .slice(0, count)
    .map((line) => JSON.parse(line) as SampleArticle)

/** The same with dates, ten articles a day from 1 March 2016: the result does not depend on the time of arrival. */
export const datedSample = (count: number): SampleArticle[] =>
  sampleArticles(count).map((article, i) => ({
    ...article,
    published_date: new Date(Date.UTC(2016, 2, 1 + Math.floor(i / 10), 12)).toISOString(),
  }))

export const asJsonl = (articles: readonly SampleArticle[]): string =>
  articles.map((article) => JSON.stringify(article)).join('\n')

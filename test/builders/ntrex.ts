import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

export interface NtrexText {
  readonly event: string
  readonly language: string
  readonly title: string
  readonly text: string
}

/** Eight documents on seven events, each in seven languages (test/fixtures/ntrex). */
export const ntrexTexts = gunzipSync(readFileSync(new URL('../fixtures/ntrex/articles.jsonl.gz', import.meta.url)))
  .toString('utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as NtrexText)

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { asJsonLines } from './labelled-file.ts'
import { scoreTranslations } from './translations.ts'

const folder = mkdtempSync(join(tmpdir(), 'translations-'))
afterAll(() => rmSync(folder, { recursive: true }))

const REPORT =
  'It rained for 12 days. The river rose by 3 metres near the old mill. Nobody was hurt. All roads were closed until 9 in the evening on Monday. They left.'
const OTHER =
  'The council of the town met on Monday in the hall beside the church to talk about the flood. It failed. It will meet again. The mayor resigned. The reasons that he gave for this were not clear.'

const scored = (...rows: readonly object[]) => {
  const file = join(folder, 'articles.jsonl')
  writeFileSync(file, asJsonLines(rows))
  return scoreTranslations(file)
}
const article = (id: string, story: string, language: string, text: string) => ({
  id,
  story,
  language,
  title: id,
  text,
})

it('scores the articles that translate an earlier one of their story, and pairs of two stories', async () => {
  const { figures, predictions } = await scored(
    article('a', 'rain', 'en', REPORT),
    article('b', 'rain', 'de', REPORT),
    article('c', 'rain', 'fr', OTHER),
    article('d', 'flood', 'es', REPORT),
  )

  expect(figures).toEqual([
    { measure: 'translation_pair_recall', value: 1 / 3, n: 3 },
    { measure: 'translation_recall', value: 0.5, n: 2 },
    { measure: 'translation_false_rate', value: 2 / 3, n: 3 },
  ])
  expect(predictions).toContain('{"id":"b","translates":"a"}')
})

it('compares the reports of a story in one language as if their languages differed', async () => {
  const { figures } = await scored(
    article('a', 'rain', 'en', REPORT),
    article('b', 'rain', 'en', OTHER),
    article('c', 'rain', 'en', REPORT),
  )

  expect(figures).toEqual([{ measure: 'translation_false_rate', value: 1 / 3, n: 3 }])
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { clusteringWeights } from '../adapters/model-files.ts'
import { scoreDuplicates } from './duplicates.ts'
import { seeded } from './seeded-random.ts'

const folder = mkdtempSync(join(tmpdir(), 'duplicates-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

function aStory(about: string): string {
  const random = seeded(about)
  const word = () => Array.from({ length: 3 + random() * 5 }, () => 'aeioulnrst'[(random() * 10) | 0]).join('')
  return Array.from({ length: 30 }, () => `The ${Array.from({ length: 11 }, word).join(' ')}.`).join(' ')
}

const line = (id: string, text: string) =>
  JSON.stringify({ id, text, url: `https://a.example/${id}`, published_date: '2018-01-01', story: 'one' })

it('counts re-prints that are found, and articles of one story that are called one text', async () => {
  const file = join(folder, 'stories.jsonl')
  const lines = Array.from({ length: 8 }, (_, i) => line(`a${i}`, aStory(`story ${i}`)))
  writeFileSync(file, [...lines, line('copy', `(Reuters) - ${aStory('story 3')}`)].join('\n'))

  const { figures, predictions } = await scoreDuplicates(file, {
    weights: clusteringWeights().origins,
    arrival: 0,
  })
  const value = (measure: string) => figures.find((figure) => figure.measure === measure)?.value

  expect(value('recall_cut60')).toBe(1)
  expect(value('recall_sent25')).toBe(1)
  expect(value('precision')).toBe(1)
  expect(value('pairs_in_file')).toBe(1)
  expect(value('false_rate')).toBeCloseTo(1 / 36, 9)
  expect(predictions).toContain('{"id":"copy","edit":null,"duplicate_of":"a3","derived_from":null,"containment":1}')
})

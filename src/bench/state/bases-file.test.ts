import { join } from 'node:path'
import { expect, it } from 'vitest'
import { aTemporaryFolder } from '../../../test/builders/temporary-folder.ts'
import { baseArticles } from '../../../test/builders/base-articles.ts'
import { readBases, writeBases } from './bases-file.ts'
import { stateWorld } from './world.ts'

it('gives the process that decides the vectors that the events have', () => {
  const world = stateWorld(baseArticles(20), 20)
  const events = Array.from({ length: 20 }, (_, i) => world.article(i))
  const path = join(aTemporaryFolder(), 'bases.json')

  writeBases(path, events)

  const { articles } = readBases(path)
  expect(articles.map(({ text }) => text)).toEqual(events.map(({ text }) => text))
  for (const { leadVector, titleVector } of articles) {
    for (const vector of [leadVector, titleVector]) {
      expect(vector).toHaveLength(384)
      expect(vector.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(1)
    }
  }
})

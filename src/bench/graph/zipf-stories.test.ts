import { expect, it } from 'vitest'
import { joinAll } from '../../domain/graph/join.ts'
import { GRAPH } from '../../domain/graph/rules.ts'
import { zipfSets, zipfStories } from './zipf-stories.ts'

it('makes stories as skewed as news are, some of them alike, the same ones in every run', () => {
  const sets = zipfSets(2_000)

  const naming = (entity: number) => sets.filter((set) => set.includes(entity)).length / sets.length
  expect(sets.reduce((sum, set) => sum + set.length, 0) / sets.length).toBeCloseTo(8.3, 0)
  expect(naming(0)).toBeGreaterThan(0.3)
  expect(naming(0)).toBeLessThan(0.6)
  expect(naming(500)).toBeLessThan(0.02)
  expect(joinAll(zipfStories(sets, GRAPH), GRAPH).length).toBeGreaterThan(200)
  expect(zipfSets(2_000)).toEqual(sets)
})

import { expect, it } from 'vitest'
import { lags, type PartitionLag } from './lags.ts'

const standing = (over: Partial<PartitionLag> = {}): PartitionLag => ({
  ...{
    reader: 'scored',
    topic: 'articles.ingested',
    partition: 0,
    committed: 10,
    end: 10,
    oldest: null,
    commitsBehind: false,
  },
  ...over,
})
const look = (before: Partial<PartitionLag> | null, after: Partial<PartitionLag>) =>
  lags({ before: before === null ? [] : [standing(before)], after: [standing(after)], apart: 2, now: 60_000 })[0]

it('tells one that has nothing to do from one that is stuck, though neither moves', () => {
  expect(look({}, {})).toMatchObject({ lag: 0, state: 'idle', waiting_seconds: null, seconds_left: null })
  expect(look({ end: 30 }, { end: 40, oldest: 20_000 })).toMatchObject({
    ...{ lag: 30, state: 'standing_still', waiting_seconds: 40, rate: 0, seconds_left: null },
  })
})

it('calls nobody stuck for what came a moment ago, nor an effect for what is tried again later', () => {
  expect(look({}, { end: 11 })).toMatchObject({ lag: 1, state: 'behind' })
  expect(look({ end: 11, commitsBehind: true }, { end: 11, commitsBehind: true })).toMatchObject({ state: 'pending' })
})

it('says how fast one reads, and how long that will take', () => {
  expect(look({ end: 100 }, { committed: 50, end: 110, oldest: 59_000 })).toMatchObject({
    ...{ lag: 60, state: 'reading', rate: 20, seconds_left: 3 },
  })
})

it('knows one that has never read, and what one look cannot tell', () => {
  expect(look({ committed: null }, { committed: null })).toMatchObject({ lag: 10, state: 'never_read' })
  expect(look(null, { end: 11 })).toMatchObject({ lag: 1, state: 'behind', rate: null })
})

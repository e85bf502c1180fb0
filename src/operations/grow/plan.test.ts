import { describe, expect, it } from 'vitest'
import { topicPartitions, topicSpecs, topicSuffix, type TopicFile } from '../../config/topics.ts'
import { grownTopics } from './plan.ts'

const aFile = (production: number): TopicFile => ({
  purpose: 'A topic of the tests',
  ...{ key: 'id', partitions: 1, 'partitions-production': production, cleanup: 'keep', retention: 'unlimited' },
  ...{ 'written-by': ['a'], 'read-by': ['b'] },
})
const files = new Map([
  ['many', aFile(12)],
  ['single', aFile(1)],
])
const planned = (from: 'one' | 'production', to: number) =>
  grownTopics(topicSpecs(files, from), { old: topicSpecs(files, from), grown: topicSpecs(files, to) })

describe('the plan of a growth', () => {
  it('divides every topic with several partitions and copies the others', () => {
    expect(planned('production', 24)).toEqual([
      { topic: 'many', from: 12, to: 24 },
      { topic: 'single', from: 1, to: 1 },
    ])
    expect(planned('one', 12)).toContainEqual({ topic: 'many', from: 1, to: 12 })
  })

  it.each([20, 12, 6])('refuses a number that is no larger multiple: %i', (to) => {
    expect(() => planned('production', to)).toThrow('many has 12 partitions and cannot grow to')
  })

  it('refuses topics that are not those of the configuration', () => {
    const old = topicSpecs(files, 'production')
    expect(() => grownTopics(topicSpecs(files, 'one'), { old, grown: topicSpecs(files, 24) })).toThrow(
      'story topics plan',
    )
  })
})

describe('the settings of a generation', () => {
  it('are a number of partitions and a suffix', () => {
    expect(['one', 'production', '24'].map((text) => topicPartitions.parse(text))).toEqual(['one', 'production', 24])
    expect(['', '.p24'].map((text) => topicSuffix.parse(text))).toEqual(['', '.p24'])
  })

  it.each(['1', '0', '-3', '1.5', 'many'])('no other number: %s', (text) => {
    expect(topicPartitions.safeParse(text).success).toBe(false)
  })

  it.each(['p24', '.dead', '.next', '.memory', '.P24', '..', '.24'])('no other suffix: %s', (text) => {
    expect(topicSuffix.safeParse(text).success).toBe(false)
  })
})

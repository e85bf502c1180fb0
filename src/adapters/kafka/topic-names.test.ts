import fc from 'fast-check'
import { expect, it } from 'vitest'
import { partitionOfKey, topicNames } from './topic-names.ts'

it('a key stays in a part of its partition where the number of partitions is multiplied', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 5 }), (key, few, times) => {
      expect(partitionOfKey(key, few * times) % few).toBe(partitionOfKey(key, few))
    }),
  )
})

it('a topic has the suffix of its generation in Kafka, and its own name everywhere else', () => {
  const names = topicNames({ topicSuffix: '.p24' })

  expect(names.stored('articles.ingested')).toBe('articles.ingested.p24')
  expect(names.own('articles.ingested.p24')).toBe('articles.ingested')
  expect(names.own('articles.ingested')).toBeNull()
  expect(topicNames({}).own('articles.ingested')).toBe('articles.ingested')
})

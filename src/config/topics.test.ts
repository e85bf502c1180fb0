import { describe, expect, it } from 'vitest'
import { projectPath } from './project-path.ts'
import { planTopics, readTopicFiles, TopicFile, topicSpecs } from './topics.ts'

const aTopicFile = (over: Partial<TopicFile> = {}): TopicFile => ({
  purpose: 'Articles read and measured',
  key: 'article id',
  partitions: 1,
  'partitions-production': 12,
  cleanup: 'keep',
  retention: 'unlimited',
  'written-by': ['scored'],
  'read-by': ['analyzed'],
  ...over,
})

const logged = { 'message.timestamp.type': 'LogAppendTime', 'compression.type': 'zstd' }

describe('wantedTopics', () => {
  it('keeps for ever, stamps with the time of the log, and has one partition without Docker', () => {
    const specs = topicSpecs(new Map([['articles.scored', aTopicFile()]]), 'one')

    const config = { ...logged, 'cleanup.policy': 'delete', 'retention.ms': '-1' }
    expect(specs).toEqual([{ name: 'articles.scored', partitions: 1, config }])
  })

  it('gives dead letters their own time and room for headers', () => {
    const file = aTopicFile({ 'dead-letters': '90d', 'max-message-bytes': 8_388_608 })

    const dead = topicSpecs(new Map([['articles.scored', file]]), 'production')[1]

    const kept = { 'cleanup.policy': 'delete', 'retention.ms': '7776000000', 'max.message.bytes': '9437184' }
    expect(dead).toEqual({ name: 'articles.scored.dead', partitions: 12, config: { ...logged, ...kept } })
  })

  it('gives dead letters more room than the largest record has where only the broker sets a limit', () => {
    const dead = topicSpecs(new Map([['articles.scored', aTopicFile({ 'dead-letters': '90d' })]]), 'one')[1]

    expect(dead?.config['max.message.bytes']).toBe('9437184')
  })

  it('keeps the deletions of a compacted topic for a day, which the copies of changelogs rely on', () => {
    const [changelog] = topicSpecs(new Map([['a.memory', aTopicFile({ cleanup: 'compact' })]]), 'one')

    expect(changelog?.config).toMatchObject({ 'cleanup.policy': 'compact', 'delete.retention.ms': '86400000' })
  })

  it('compresses the topics that only the service writes, and bounds the size of what others send', () => {
    const specs = topicSpecs(readTopicFiles(projectPath('topics')), 'one')
    const plain = specs.filter(({ config }) => config['compression.type'] !== 'zstd')

    expect(plain.map(({ name, config }) => `${name} ${config['compression.type'] ?? ''}`)).toEqual([
      'articles.ingested uncompressed',
      'articles.ingested.dead uncompressed',
      'discourse.posts uncompressed',
      'discourse.posts.dead uncompressed',
    ])
  })

  it('refuses a file with an unknown line', () => {
    expect(TopicFile.safeParse({ ...aTopicFile(), partitons: 3 }).success).toBe(false)
  })
})

describe('planTopics', () => {
  const specs = { name: 'a', partitions: 1, config: { 'retention.ms': '-1', ...logged } }

  it('creates what is missing and leaves strangers alone', () => {
    expect(planTopics([specs], [{ name: 'b', partitions: 3, config: {} }])).toEqual([{ kind: 'create', topic: specs }])
  })

  it('has nothing to do the second time, whatever an operator added', () => {
    expect(planTopics([specs], [{ ...specs, config: { ...specs.config, 'segment.bytes': '1048576' } }])).toEqual([])
  })

  it("sends the full set of settings, because the broker replaces them all, and keeps an operator's own", () => {
    const existing = { name: 'a', partitions: 1, config: { 'retention.ms': '1000', 'segment.bytes': '1048576' } }

    expect(planTopics([specs], [existing])).toEqual([
      {
        kind: 'configure',
        name: 'a',
        config: { 'retention.ms': '-1', 'segment.bytes': '1048576', ...logged },
        differences: [
          { entry: 'retention.ms', from: '1000', to: '-1' },
          { entry: 'message.timestamp.type', from: null, to: 'LogAppendTime' },
          { entry: 'compression.type', from: null, to: 'zstd' },
        ],
      },
    ])
  })

  it.each([3, 0])('never changes a number of partitions by itself (%i)', (partitions) => {
    expect(planTopics([specs], [{ ...specs, partitions }])).toEqual([
      { kind: 'conflict', name: 'a', partitions, expected: 1 },
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { targetOf } from './commands.ts'
import { allTopics } from './topics.ts'

describe('what `archive export` writes, and where', () => {
  it('is everything into the folder that is named, with --to or without', () => {
    expect(targetOf(['/backup'], {})).toEqual({ to: '/backup', topics: allTopics() })
    expect(targetOf([], { to: '/backup' })).toEqual({ to: '/backup', topics: allTopics() })
    expect(targetOf(['/backup'], { all: true })).toEqual({ to: '/backup', topics: allTopics() })
  })

  it('is the topics that are named', () => {
    const topics = ['articles.ingested']

    expect(targetOf(['/backup', ...topics], {})).toEqual({ to: '/backup', topics })
    expect(targetOf(topics, { to: '/backup' })).toEqual({ to: '/backup', topics })
  })

  it('is refused where a word is neither, and without a folder', () => {
    expect(() => targetOf(['articles.ingestd'], { to: '/backup' })).toThrow('unknown topic articles.ingestd')
    expect(() => targetOf(['/backup', '/other'], {})).toThrow('unknown topic /other')
    expect(() => targetOf(['articles.ingested'], {})).toThrow('archive folder missing')
  })
})

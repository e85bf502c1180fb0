import { describe, expect, it } from 'vitest'
import { fold, type DashboardNews, type NewsChange } from './news.ts'

const none: DashboardNews = new Map()
const changes = (type: string, cluster_id: string, ...article_ids: string[]): NewsChange => ({
  type,
  data: { cluster_id, article_ids },
})

describe('what was heard of stories', () => {
  it('counts what came to each, and calls one new that opened meanwhile', () => {
    const news = fold(none, [
      changes('cluster.opened', 'sto_a', 'art_1'),
      changes('cluster.grown', 'sto_b', 'art_2'),
      changes('cluster.grown', 'sto_a', 'art_3', 'art_4'),
      changes('story.transitioned', 'sto_c'),
    ])

    expect([...news]).toEqual([
      ['sto_b', { kind: 'grown', articles: 1, lines: 1 }],
      ['sto_a', { kind: 'new', articles: 3, lines: 2 }],
      ['sto_c', { kind: 'changed', articles: 0, lines: 1 }],
    ])
  })

  it('knows which stories have settled: none of its articles came with that', () => {
    const news = fold(none, [
      changes('cluster.settled', 'sto_a', 'art_1', 'art_2'),
      changes('cluster.grown', 'sto_b', 'art_3'),
      changes('cluster.settled', 'sto_b', 'art_3', 'art_4'),
    ])

    expect([...news]).toEqual([
      ['sto_a', { kind: 'settled', articles: 0, lines: 1 }],
      ['sto_b', { kind: 'grown', articles: 1, lines: 2 }],
    ])
  })

  it('is the same whether it comes in one piece or line by line', () => {
    const lines = [
      changes('cluster.grown', 'sto_a', 'art_1'),
      changes('cluster.merged', 'sto_a', 'art_9'),
      changes('cluster.opened', 'sto_b', 'art_2'),
    ]

    expect([...lines.reduce((news, line) => fold(news, [line]), none)]).toEqual([...fold(none, lines)])
  })

  it('knows nothing of lines that are about no story', () => {
    expect(fold(none, [{ type: 'entity.spike', data: { entity_id: 'ent_a' } }]).size).toBe(0)
  })

  it('forgets the stories heard of longest ago', () => {
    const many = Array.from({ length: 600 }, (_, i) => changes('cluster.opened', `sto_${i}`, `art_${i}`))

    const news = fold(none, many)

    expect([news.size, news.has('sto_99'), news.has('sto_100')]).toEqual([500, false, true])
  })
})

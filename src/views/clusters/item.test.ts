import { describe, expect, it } from 'vitest'
import { clusterItem, type ClusterRow } from './item.ts'

const aRow = (over: Partial<ClusterRow> = {}): ClusterRow => ({
  cluster_id: 'sto_1',
  title: 'Harbour bridge to close',
  representative_article_id: 'art_1',
  headlines: [],
  article_count: 3,
  source_count: 2,
  publisher_count: 2,
  texts: [
    ['wire', '', 0.9],
    ['wire', '', 0.7],
    ['own', '', 0.4],
  ],
  is_settled: 0,
  languages: ['en'],
  created_at: '2016-05-03T12:00:00.000Z',
  updated_at: '2016-05-03T14:00:00.000Z',
  first_published: null,
  last_published: null,
  positive: 1,
  neutral: 1,
  negative: 1,
  articles: ['art_1', 'art_2', 'art_3'],
  geographic_spread: [],
  categories: [],
  entities: ['Ada Quill', 'Oslo', 'Bo Reed', 'Fire Service', 'Norway', 'Bergen'].map((name, i) => ({
    id: `ent_${i}`,
    name,
    type: 'PERSON',
    mention_count: 9 - i,
    article_count: 3,
  })),
  ...over,
})

describe('a cluster in a list', () => {
  it('shares out its sentiment so that it sums to 1', () => {
    const { positive, neutral, negative } = clusterItem(aRow()).sentiment_distribution

    expect(positive + neutral + negative).toBeCloseTo(1, 12)
  })

  it('is stood for by its five best entities', () => {
    expect(clusterItem(aRow()).primary_entities).toEqual(['ent_0', 'ent_1', 'ent_2', 'ent_3', 'ent_4'])
  })

  it('is called by whom it is about when no article has a title', () => {
    expect(clusterItem(aRow({ title: null })).title).toBe('Ada Quill, Oslo, Bo Reed')
  })

  it('counts each independent account once, in its number and in its confidence', () => {
    expect(clusterItem(aRow())).toMatchObject({ origin_count: 2 })
    expect(clusterItem(aRow()).confidence).toBeCloseTo((0.8 + 0.4) / 2, 12)
    const quoting: ClusterRow['texts'] = [['later', 'own', 1], ...aRow().texts]
    expect(clusterItem(aRow({ texts: quoting }))).toMatchObject({ origin_count: 2 })
    expect(clusterItem(aRow({ texts: quoting })).confidence).toBeCloseTo((0.8 + 0.7) / 2, 12)
  })

  it('keeps its confidence between 0 and 1, whatever rounding does', () => {
    expect(clusterItem(aRow({ texts: [['own', '', 1.000001]] })).confidence).toBe(1)
  })
})

import { describe, expect, it } from 'vitest'
import {
  at,
  detection,
  live,
  matched,
  moving,
  news,
  placed,
  reception,
  scored,
  transition,
  type ChangedIn,
} from '../../../test/builders/changed.ts'
import type { Row } from '../../ports/store.ts'
import { feedRows } from '../../views/clusters/project.ts'

const types = (events: readonly ChangedIn[]) =>
  live(events).heard.map((one) => (typeof one === 'string' ? one : one.type))

/** What the last of the events emits. */
const last = (events: readonly ChangedIn[]) => {
  const line = live(events).heard.at(-1)
  if (line === undefined || typeof line === 'string') throw new Error(`nothing was told: ${line ?? ''}`)
  return line
}

/** A row of `GET /v1/clusters/changes`. */
const prefixed = (type: unknown) => (typeof type === 'string' ? `cluster.${type}` : type)
const dataOf = ({ cluster_id, from_cluster_id, article_ids, correction_id, correction_action }: Row) => ({
  ...{ cluster_id, from_cluster_id, article_ids, correction_id, correction_action },
})

describe('an article', () => {
  it('is told when it was scored, and again with each revision', () => {
    expect(types([scored('1'), scored('2'), scored('1', 'second')])).toEqual([
      'article.scored',
      'article.scored',
      'article.revised',
    ])
  })

  it('says what a reader needs to choose, and where it came from', () => {
    const line = last([scored('1', 'first', { namespace: 'shared', occurred_at: at(1), published_date: at(-2) })])

    expect(news(line)).toEqual([
      'article.scored',
      {
        article_id: 'art_1',
        title: 'Harbour bridge to close for two years',
        url: 'https://www.example.com/news/harbour-bridge',
        source: 'Example Times',
        published_date: '2016-05-03T10:00:00.000Z',
        language: 'en',
        quality_score: 0.72,
        forwarded: true,
        gate_reason: 'passed',
        semantic_hash: scored('1').semantic_hash,
      },
    ])
    expect(line).toMatchObject({
      namespace: 'shared',
      occurred_at: at(1),
      ...{ title: 'Harbour bridge to close for two years', origin_count: null, owner: '', monitor_id: null },
      subject_id: 'art_1',
      entity_ids: [],
      velocity: null,
      caused_by: { topic: 'articles.scored', partition: 0, offset: 0 },
      produced_by: { stage: 'changed', version: '2' },
    })
  })

  it('is not told again with the same content, not even with an older one', () => {
    const repeat = scored('1', 'first', { event_id: 'evt_again' })

    expect(types([scored('1'), repeat, scored('1', 'second'), repeat])).toEqual([
      'article.scored',
      'known',
      'article.revised',
      'known',
    ])
  })

  it('is told under the same id when memory has forgotten it, and under another one for another revision or namespace', () => {
    const { changes: received } = live([scored('1'), scored('2'), scored('1'), scored('1', 'b')], { budget: 1 })
    const elsewhere = last([scored('1', 'first', { namespace: 'private' })])

    expect(received.map(({ event_id }) => event_id === received[0]?.event_id)).toEqual([true, false, true, false])
    expect(elsewhere.event_id).not.toBe(received[0]?.event_id)
  })

  it('keeps its newest revisions in mind, however often it is revised', () => {
    const often = Array.from({ length: 30 }, (_, i) => scored('1', `${i}`))

    const { state, heard } = live([...often, scored('1', '29'), scored('1', '5')])

    expect(state().namespaces.get('shared')?.articles.get('art_1')?.told.length).toBe(20)
    expect(heard.at(-2)).toBe('known')
    expect(heard.at(-1)).toMatchObject({ type: 'article.revised' })
  })

  it('has a date that can be read, whatever a producer says', () => {
    expect(news(last([scored('1', 'first', { published_date: 9e15 })]))[1]).toMatchObject({
      published_date: '2299-12-31T23:59:59.999Z',
    })
    expect(news(last([scored('1', 'first', { published_date: null })]))[1]).toMatchObject({ published_date: null })
  })
})

describe('a story', () => {
  const three = [placed('a', '1', { action: 'opened', names: 'ada bo' }), placed('a', '2', { names: 'ada' })]

  it('opens and grows, and touches the entities of the article that came', () => {
    const { changes: received } = live([...three, placed('a', '3', { names: 'may', types: { may: 'DATE' } })])

    expect(received.map(({ type, entity_ids }) => [type, entity_ids])).toEqual([
      ['cluster.opened', ['ent_ada', 'ent_bo']],
      ['cluster.grown', ['ent_ada']],
      ['cluster.grown', []],
    ])
    expect(received.map(news)[1]).toEqual([
      'cluster.grown',
      {
        cluster_id: 'sto_a',
        from_cluster_id: null,
        article_ids: ['art_2'],
        correction_id: null,
        correction_action: null,
        origin_count: 2,
      },
    ])
  })

  it('has the independent sources, the names and the newest title of its articles, after each change', () => {
    const { changes: received } = live([
      placed('a', '1', { action: 'opened', names: 'ada', text: 'wire', family: 'gannett' }),
      placed('a', '2', { names: 'bo', text: 'wire', family: 'gannett', title: null }),
      placed('a', '3', { names: '', family: 'gannett' }),
      placed('a', '4', { names: 'may', types: { may: 'DATE' }, quotes: '3', title: 'x'.repeat(400) }),
      placed('a', '5', { title: `${'y'.repeat(299)}\u{1f327}` }),
      moving('split', ['a', 'b'], ['3', '4']),
      transition('a', [null, 'breaking'], 1),
      reception('b', 2),
      detection('trend.detected', 'sto_a'),
      moving('merged', ['b', 'a'], ['3', '4']),
    ])

    expect(
      received.map(({ type, origin_count, entity_names, title }) => [
        type,
        origin_count,
        entity_names.join(' '),
        title,
      ]),
    ).toEqual([
      ['cluster.opened', 1, 'ada', 'Title 1'],
      ['cluster.grown', 1, 'bo', 'Title 1'],
      ['cluster.grown', 1, '', 'Title 3'],
      ['cluster.grown', 1, '', 'x'.repeat(300)],
      ['cluster.grown', 2, 'ada', 'y'.repeat(299)],
      ['cluster.split', 1, '', 'x'.repeat(300)],
      ['story.transitioned', 2, 'ada bo', 'y'.repeat(299)],
      ['story.enriched', 1, '', 'x'.repeat(300)],
      ['trend.detected', 2, 'ada bo', 'y'.repeat(299)],
      ['cluster.merged', 2, 'ada bo', 'y'.repeat(299)],
    ])
    for (const line of received.filter(({ type }) => type.startsWith('cluster.') || type === 'story.transitioned')) {
      expect(news(line)[1]).toMatchObject({ origin_count: line.origin_count })
    }
  })

  it('is as certain as its least certain article, and settled until another comes', () => {
    const settles = { ...moving('settled', ['a', 'a'], ['1', '2']), assignment_confidence: 0.95 }
    const weak = { ...placed('a', '3'), assignment_confidence: 0.4 }

    const { changes: received } = live([...three, settles, weak, transition('a', [null, 'breaking'], 1), scored('4')])

    expect(received.map(({ type, membership, assignment_confidence: sure }) => [type, membership, sure])).toEqual([
      ['cluster.opened', 'provisional', 0.9],
      ['cluster.grown', 'provisional', 0.9],
      ['cluster.settled', 'settled', 0.95],
      ['cluster.grown', 'provisional', 0.4],
      ['story.transitioned', 'provisional', 0.4],
      ['article.scored', null, null],
    ])
    expect(received[2] && news(received[2])[1]).toMatchObject({ cluster_id: 'sto_a', article_ids: ['art_1', 'art_2'] })
  })

  it('tells nothing of a revision, a rebuilt day, or a word that was refused', () => {
    const { reasons } = live([
      ...three,
      placed('a', '1', { action: 'revised' }),
      moving('rebuilt', ['a', 'a'], []),
      moving('corrected', ['a', 'b'], ['1'], { action: 'move', refused: 'article_moved' }),
    ])

    expect(reasons).toEqual(['revised', 'rebuilt', 'refused'])
  })

  it('that merges, splits, loses articles or is corrected touches whom it is about from then on', () => {
    const begun = [...three, placed('b', '3', { action: 'opened', names: 'cy' }), placed('b', '4', { names: 'cy dee' })]
    const word = { action: 'move' }

    const { changes: received } = live([
      ...begun,
      moving('split', ['b', 'c'], ['4']),
      moving('merged', ['b', 'a'], ['3']),
      moving('moved', ['c', 'a'], ['4']),
      moving('corrected', ['a', 'd'], ['1', '4'], word),
      moving('corrected', ['a', 'd'], [], { action: 'keep_apart' }),
    ])

    expect(
      received.slice(4).map(({ type, subject_id, entity_ids }) => [type, subject_id, entity_ids.join(' ')]),
    ).toEqual([
      ['cluster.split', 'sto_c', 'ent_cy ent_dee'],
      ['cluster.merged', 'sto_a', 'ent_ada ent_bo ent_cy'],
      ['cluster.moved', 'sto_a', 'ent_ada ent_cy ent_bo ent_dee'],
      ['cluster.corrected', 'sto_d', 'ent_ada ent_bo ent_cy ent_dee'],
      ['cluster.corrected', 'sto_d', 'ent_ada ent_bo ent_cy ent_dee'],
    ])
    expect(received.map(news).at(-2)?.[1]).toEqual({
      cluster_id: 'sto_d',
      from_cluster_id: 'sto_a',
      article_ids: ['art_1', 'art_4'],
      correction_id: 'cor_a',
      correction_action: 'move',
      origin_count: 2,
    })
  })

  it('is told of as GET /v1/clusters/changes tells of it, line by line, but with its sources', () => {
    const lines = [
      ...three,
      placed('a', '1', { action: 'revised' }),
      moving('split', ['a', 'c'], ['2']),
      moving('rebuilt', ['a', 'a'], []),
      moving('corrected', ['c', 'a'], ['2'], { action: 'undo' }),
      moving('corrected', ['c', 'a'], ['2'], { action: 'merge', refused: 'same_story' }),
    ]

    const { heard } = live(lines)

    expect(heard.map((one) => (typeof one === 'string' ? [] : [news(one)]))).toEqual(
      lines.map((line) =>
        feedRows(line).map((row) => [
          prefixed(row['type']),
          { ...dataOf(row), origin_count: expect.any(Number) as number },
        ]),
      ),
    )
  })

  it('touches fifty entities at most: those that most of its articles name, by id where as many name two', () => {
    const many = Array.from({ length: 60 }, (_, i) => `n${String(i).padStart(2, '0')}`)
    const line = last([
      placed('a', '1', { names: many.join(' ') }),
      placed('a', '2', { names: 'n59 n58' }),
      placed('a', '3', { names: 'n59' }),
      detection('trend.detected', 'sto_a'),
    ])

    expect(line.entity_ids).toEqual(['n59', 'n58', ...many.slice(0, 48)].map((name) => `ent_${name}`))
  })

  it('touches whom a revision names, not whom the article named before; and not what another namespace says', () => {
    expect(
      last([
        placed('a', '1', { names: 'ada bo' }),
        detection('trend.detected', 'sto_a'),
        placed('a', '1', { action: 'revised', names: 'cy' }),
        placed('a', '1', { names: 'dee', namespace: 'private' }),
        detection('trend.detected', 'sto_a', { event_id: 'evt_2' }),
      ]).entity_ids,
    ).toEqual(['ent_cy'])
  })
})

describe('a lifecycle state', () => {
  const known = [placed('a', '1', { action: 'opened', names: 'ada' })]

  it('is told when it is another than the one before', () => {
    const line = last([...known, transition('a', ['breaking', 'developing'], 3)])

    expect(news(line)).toEqual([
      'story.transitioned',
      {
        cluster_id: 'sto_a',
        lifecycle_state: 'developing',
        previous_state: 'breaking',
        rule: 'developing',
        facts: { last_article_age_hours: 2 },
        origin_count: 1,
        evaluated_at: '2016-05-03T15:00:00.000Z',
      },
    ])
    expect(line).toMatchObject({ subject_id: 'sto_a', entity_ids: ['ent_ada'], occurred_at: at(3), velocity: null })
    expect(types([...known, transition('a', ['mature', 'mature'], 3)]).at(-1)).toBe('same_state')
  })

  it('is told once though the API and the clock find it both, and not where the past is put right', () => {
    expect(
      types([
        ...known,
        transition('a', [null, 'mature'], 30),
        transition('a', [null, 'mature'], 31),
        transition('a', ['breaking', 'developing'], 5),
        transition('a', ['mature', 'concluded'], 80),
      ]).slice(1),
    ).toEqual(['story.transitioned', 'same_state', 'earlier_moment', 'story.transitioned'])
  })

  it('of a story that is not remembered is told all the same, and leaves nothing behind', () => {
    const { changes: received, changelog } = live([transition('x', [null, 'mature'], 30), reception('x', 3)])

    expect(received.map(({ origin_count, title }) => [origin_count, title])).toEqual([
      [null, null],
      [null, null],
    ])
    expect(received.map(({ type, entity_ids }) => [type, entity_ids])).toEqual([
      ['story.transitioned', []],
      ['story.enriched', []],
    ])
    expect(changelog).toEqual([])
  })
})

describe('a reception', () => {
  const known = [placed('a', '1', { action: 'opened', names: 'ada' })]

  it('is told with what changes decisions, not with posts', () => {
    const line = last([...known, reception('a', 3)])

    expect(news(line)).toEqual([
      'story.enriched',
      {
        cluster_id: 'sto_a',
        platform: 'reddit',
        sentiment_score: -0.2,
        sentiment_label: 'negative',
        controversy_score: 0.4,
        counter_narrative_detected: false,
        counter_narrative_confidence: 0,
        comment_count_analyzed: 12,
        dominant_themes: ['repairs'],
        novel_entities: ['Bo Reed'],
      },
    ])
    expect(line).toMatchObject({ subject_id: 'sto_a', entity_ids: ['ent_ada'], occurred_at: at(3), velocity: null })
  })

  it('about an earlier moment than was told is the past put right: platform by platform, story by story', () => {
    const rows = [reception('a', 3), reception('a', 2), reception('a', 2, { platform: 'bluesky' }), reception('b', 1)]

    expect(types([...known, ...rows, reception('a', 3, { event_id: 'evt_2' })]).slice(1)).toEqual([
      'story.enriched',
      'earlier_moment',
      'story.enriched',
      'story.enriched',
      'story.enriched',
    ])
  })
})

describe('a detection', () => {
  it('of a growing story has its velocity and the story’s entities', () => {
    const line = last([placed('a', '1', { names: 'ada' }), detection('trend.detected', 'sto_a')])

    expect(news(line)).toEqual([
      'trend.detected',
      {
        ...{ cluster_id: 'sto_a', title: 'Harbour bridge', category: 'politics', velocity: 6.5, baseline: 2 },
        ...{ window_hours: 6, article_count: 13, origins: 4, low_support: false },
      },
    ])
    expect(line).toMatchObject({ subject_id: 'sto_a', entity_ids: ['ent_ada'], velocity: 6.5 })
  })

  it('of a spike or a shift has the entity itself', () => {
    const spike = last([detection('entity.spike', 'ent_ada')])
    const shift = last([detection('sentiment.shift', 'ent_ada')])

    expect(news(spike)).toEqual([
      'entity.spike',
      {
        ...{ entity_id: 'ent_ada', name: 'Harbour bridge', velocity: 6.5, baseline: 2, window_hours: 6 },
        ...{ mention_count: 13, origins: 4, p_value: 0.0001, low_support: false },
      },
    ])
    expect(news(shift)).toEqual([
      'sentiment.shift',
      {
        ...{ entity_id: 'ent_ada', name: 'Harbour bridge', sentiment_before: 0.4, sentiment_after: -0.2 },
        ...{ window_hours: 6, mention_count: 13, velocity: 6.5, origins: 4, low_support: false },
      },
    ])
    expect(
      [spike, shift].map((one) => [one.entity_ids, one.entity_names, one.velocity, one.origin_count, one.title]),
    ).toEqual([
      [['ent_ada'], ['Harbour bridge'], 6.5, null, null],
      [['ent_ada'], ['Harbour bridge'], 6.5, null, null],
    ])
  })
})

describe('a match of a monitor', () => {
  const known = [placed('a', '1', { action: 'opened', names: 'ada' })]

  it('goes to the owner of the monitor, with what is known of the story and the sources and title that matched', () => {
    const line = last([...known, matched('a')])

    expect(news(line)).toEqual([
      'monitor.matched',
      {
        ...{ monitor_id: 'mon_a', monitor_name: 'Rain', conditions_version: 1, held: false },
        story: { ...matched('a').stories[0], matched_at: '2016-05-03T12:00:00.000Z' },
      },
    ])
    expect(line).toMatchObject({
      ...{ subject_id: 'mon_a', monitor_id: 'mon_a', owner: 'key_a', velocity: null, membership: 'provisional' },
      ...{ entity_ids: ['ent_ada'], entity_names: ['ada'], origin_count: 2, title: 'Rain in the north' },
    })
    expect(last([matched('x')])).toMatchObject({ entity_ids: [], membership: null, origin_count: 2 })
  })

  it('says whether the channels receive it later', () => {
    expect(news(last([matched('a', { notify: false })]))[1]).toMatchObject({ held: true })
  })

  it('is one line for a digest, which concerns no single story', () => {
    const line = last([...known, matched('a', { type: 'monitor.digest' })])

    expect(news(line)).toEqual([
      'monitor.digest',
      {
        ...{ monitor_id: 'mon_a', monitor_name: 'Rain' },
        stories: [{ ...matched('a').stories[0], matched_at: '2016-05-03T12:00:00.000Z' }],
      },
    ])
    expect(line).toMatchObject({
      ...{ subject_id: 'mon_a', owner: 'key_a', entity_ids: [], membership: null, origin_count: null, title: null },
    })
  })

  it('has its id by the match, and needs a story', () => {
    const ids = [matched('a'), matched('a'), matched('b')].map((one) => last([one]).event_id)

    expect(new Set(ids).size).toBe(2)
    expect(types([{ ...matched('a'), stories: [] }])).toEqual(['no_story'])
  })
})

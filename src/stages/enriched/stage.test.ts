import { describe, expect, it } from 'vitest'
import { aPost, aStoryArticle } from '../../../test/builders/discourse.ts'
import { contentOf, fold, live } from '../../../test/builders/enriched.ts'
import { emptyState } from './discourse.ts'

const posts = (...texts: string[]) => texts.map((text, i) => aPost({ post_id: String(i), text }))

describe('enriched', () => {
  it('makes one record a story and platform, updated in place', async () => {
    const { emitted, last } = await live([
      aStoryArticle(),
      aPost({ post_id: 'a', text: 'That is great news.' }),
      aPost({ post_id: 'b', platform: 'bluesky', text: 'That is awful news.' }),
      aPost({ post_id: 'c', text: 'Simply great, Tom Reed.' }),
    ])

    expect(emitted.map((e) => [e.platform, e.comment_count_analyzed])).toEqual([
      ['reddit', 1],
      ['bluesky', 1],
      ['reddit', 2],
    ])
    expect(last).toMatchObject({
      story_title: 'Harbour bridge to close',
      sentiment_label: 'positive',
      novel_entities: ['Tom Reed'],
    })
    expect(last?.evidence.novel_entities).toEqual({ 'Tom Reed': ['https://reddit.example/c'] })
  })

  it('calls an entity of the newspapers, however it is spelt, never novel', async () => {
    const { last } = await live([aStoryArticle(), ...posts('I trust Ada Quill on this.', 'Well done, Ada Quill!')])

    expect(last).toMatchObject({ public_entities: ['Ada Quill'], novel_entities: [] })
  })

  it('finds the story of a post by the article it links to, also when the post came first', async () => {
    const post = aPost({ cluster_id: null, article_url: 'http://www.example.com/bridge?utm_source=x' })

    const before = await live([post, aStoryArticle()])
    const after = await live([aStoryArticle(), post])

    expect(before.last?.cluster_id).toBe('sto_bridge')
    expect({ ...before.last, event_id: '', caused_by: null, fetched_at: 0 }).toEqual({
      ...after.last,
      event_id: '',
      caused_by: null,
      fetched_at: 0,
    })
  })

  it('forgets a deleted post, and what only it had said', async () => {
    const { last } = await live([
      aStoryArticle(),
      aPost({ post_id: 'a' }),
      aPost({ post_id: 'b', text: 'Ask Tom Reed.' }),
      aPost({ post_id: 'b', deleted: true, event_id: 'evt_deletion' }),
    ])

    expect(last).toMatchObject({ comment_count_analyzed: 1, novel_entities: [] })
  })

  it('needs five authors for a counter-narrative, and counts copies of one text once', async () => {
    const copies = Array.from({ length: 9 }, (_, i) => aPost({ post_id: `copy${i}`, text: 'This is fake.' }))
    const denials = [
      'This is a lie.',
      'Fake, all of it.',
      'Not true.',
      'Never happened.',
      'No evidence at all.',
      'A hoax.',
    ]

    const copied = await live([aStoryArticle(), ...copies])
    const disputed = await live([aStoryArticle(), ...posts(...denials)])

    expect(copied.last).toMatchObject({ counter_narrative_detected: false, counter_narrative_confidence: 0 })
    expect(disputed.last?.counter_narrative_detected).toBe(true)
    expect(denials).toContain(disputed.last?.counter_narrative_summary)
  })

  it('never lets three comments reach a confidence of 0.7', async () => {
    const { last } = await live([aStoryArticle(), ...posts('A lie.', 'Fake!', 'Not true at all.')])

    expect(last?.counter_narrative_confidence).toBeLessThan(0.7)
    expect(last?.controversy_score).toBe(0)
  })

  it('takes neither dates nor sums for entities', async () => {
    const dated = aStoryArticle()
    const entities = [
      ...dated.member.entities,
      {
        entity_id: 'ent_may',
        name: 'May 3',
        type: 'DATE',
        mention_count: 1,
        country: null,
        sentiment_score: null,
      } as const,
    ]

    const { last } = await live([{ ...dated, member: { ...dated.member, entities } }, ...posts('Well done.')])

    expect(last?.editorial_entities).toEqual(['Ada Quill'])
  })

  it('names themes by the words most posts use, each counted once whatever its ending', async () => {
    const { last } = await live([aStoryArticle(), ...posts('Two bridges crack.', 'The bridges!', 'Which bridge?')])

    expect(last?.dominant_themes).toEqual(['bridges'])
  })

  it('is the same stage after a restart: the changelog restores the state', async () => {
    const { state, changelog } = await live([
      aStoryArticle(),
      ...posts('A lie.', 'Great, Tom Reed.'),
      aPost({ post_id: '0', deleted: true }),
    ])
    const compacted = new Map(changelog.map((entry) => [entry.key, entry]))

    const restored = [...compacted.values()].reverse().reduce(fold, emptyState())

    expect(contentOf(restored)).toEqual(contentOf(state))
  })

  it('lets the oldest post leave when the memory is full', async () => {
    const many = Array.from({ length: 120 }, (_, i) => aPost({ post_id: String(i), text: `Word number ${i} of many.` }))

    const { state } = await live([aStoryArticle(), ...many])

    expect(state.posts).toBe(100)
    expect(state.namespaces.get('shared')?.posts.get('shared:post:reddit:19')).toBeUndefined()
  })
})

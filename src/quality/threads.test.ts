import { expect, it } from 'vitest'
import { affairsOf, checkMembers, scoreAffairs, type ArticleThread, threadSizes } from './threads.ts'
import { BadLine } from './labelled-file.ts'

const affair = (name: string, half: string, members: readonly string[], near_misses: readonly string[] = []) =>
  JSON.stringify({ affair: name, half, members, near_misses, topic: 'courts' })

const placed = (byArticle: Readonly<Record<string, string>>): ReadonlyMap<string, ArticleThread> =>
  new Map(
    Object.entries(byArticle).map(([id, place]) => {
      const [story = '', thread = ''] = place.split('/')
      return [id, { story, thread: thread === '' ? null : thread }]
    }),
  )

const AFFAIRS = affairsOf(
  [affair('wall', 'measure', ['a', 'b', 'c'], ['n']), affair('trial', 'learn', ['x', 'y'])].join('\n'),
)

it('counts pairs of an affair that are in one story or thread', () => {
  const byArticle = placed({ a: 's1/t1', b: 's1/t1', c: 's2/t1', n: 's3', x: 's4', y: 's5' })

  expect(scoreAffairs(AFFAIRS, { half: 'measure', byArticle })).toEqual({
    ...{ in_story: 1 / 3, recall: 1, precision: 1, precision_of_members: 1, pairs: 3 },
  })
  expect(scoreAffairs(AFFAIRS, { half: 'learn', byArticle })).toMatchObject({ recall: 0, precision: 1, pairs: 1 })
})

it('counts near misses and members of other affairs of either half against precision', () => {
  const byArticle = placed({ a: 's1/t1', b: 's2/t1', c: 's3', n: 's4/t1', x: 's5/t1', y: 's6' })

  const { recall, precision, precision_of_members } = scoreAffairs(AFFAIRS, { half: 'measure', byArticle })

  expect({ recall, precision, precision_of_members }).toEqual({
    recall: 1 / 3,
    precision: 1 / 5,
    precision_of_members: 1 / 3,
  })
})

it('gains nothing by one thread of everything, nor by none', () => {
  const ids = ['a', 'b', 'c', 'n', 'x', 'y']
  const one = placed(Object.fromEntries(ids.map((id) => [id, `${id}/all`])))
  const none = placed(Object.fromEntries(ids.map((id) => [id, id])))

  expect(scoreAffairs(AFFAIRS, { half: 'measure', byArticle: one })).toMatchObject({ recall: 1, precision: 3 / 12 })
  expect(scoreAffairs(AFFAIRS, { half: 'measure', byArticle: none })).toMatchObject({ recall: 0 })
})

it('counts a near miss that is a member of another affair once', () => {
  const affairs = affairsOf([affair('wall', 'measure', ['a', 'b'], ['x']), affair('trial', 'learn', ['x'])].join('\n'))
  const byArticle = placed({ a: 's1/t', b: 's2/t', x: 's3/t' })

  expect(scoreAffairs(affairs, { half: 'measure', byArticle })).toMatchObject({ precision: 1 / 3 })
})

it('names an article that the file lacks, and a line that is no affair', () => {
  expect(() => {
    checkMembers(AFFAIRS, new Set(['a', 'b', 'c', 'x', 'y']))
  }).toThrow('article n of the affairs is not in the file of articles')
  expect(() => affairsOf(`${affair('wall', 'measure', [])}\n${affair('wall', 'both', [])}`)).toThrow(
    expect.objectContaining({ line: 2 }) as BadLine,
  )
})

it('says how large threads are, in stories', () => {
  const byArticle = placed({ a: 's1/t1', b: 's1/t1', c: 's2/t1', n: 's3', x: 's4/t2' })

  expect(threadSizes([...byArticle.values()])).toEqual({ stories: 4, threads: 2, in_threads: 3, largest: 2 })
})

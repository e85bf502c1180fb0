import { expect, it } from 'vitest'
import { SourceTally } from './tally.ts'

it('counts against what the service had: every accepted record is new, a revision or a repeat', () => {
  const tally = new SourceTally()
  const contents = ['a a1', 'a a2', 'a a1', 'b b1', 'c c1', 'd d1', 'd d2']
  for (const one of contents) {
    const [article_id = '', content_hash = ''] = one.split(' ')
    tally.accept({ article_id, content_hash })
  }
  expect(tally).toMatchObject({ accepted: 7, articles: 4, revisions: 2, repeats: 1, added: null })

  tally.compareWith(
    new Map([
      ['a', new Set(['a2'])], // a1 is a revision, a2 a repeat
      ['b', new Set(['b1'])], // a repeat
      ['c', new Set(['c0'])], // a revision
    ]),
  )

  // new: d; revisions: a1, c1, d2; repeats: a2, a1 again, b1
  expect(tally).toMatchObject({ accepted: 7, articles: 4, added: 1, revisions: 3, repeats: 3 })
})

it('finds a second import of the same articles to be repeats only', () => {
  const tally = new SourceTally()
  const ids = Array.from({ length: 50 }, (_, n) => `art_${n}`)
  for (const article_id of ids) tally.accept({ article_id, content_hash: 'x' })

  tally.compareWith(new Map(ids.map((id) => [id, new Set(['x'])])))

  expect(tally).toMatchObject({ accepted: 50, added: 0, revisions: 0, repeats: 50 })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DIM } from '../vectors.ts'
import { packedStates, pieces, unpackedStates } from './encoder-work.ts'
import { PieceTurns } from './encoder-pool.ts'
import { articlePieces, windowEnds } from './reader-windows.ts'
import { leadWindow, sentenceWindow, WINDOW } from './windows.ts'

describe('work is cut into pieces', () => {
  it('that hold every text once, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 900 }), { maxLength: 120 }), (texts) => {
        const cut = pieces('sentences', texts)
        expect(cut.flatMap(({ items }) => [...items])).toEqual(texts)
        expect(cut.every(({ items }) => items.length > 0 && items.length <= 32)).toBe(true)
      }),
    )
  })

  it('of about equal work: long leads go few at a time', () => {
    const leads = Array.from({ length: 12 }, () => ({ title: 'Title', body: 'x'.repeat(5_000) }))

    expect(pieces('leads', leads).map(({ items }) => items.length)).toEqual([4, 4, 4])
  })
})

describe('turns', () => {
  it('let a short caller in between the pieces of a long one', async () => {
    const turns = new PieceTurns<string>()
    turns.add({ pieces: ['a1', 'a2', 'a3'], lane: 'patient' })
    turns.add({ pieces: ['b1'], lane: 'patient' })

    expect([await turns.take(), await turns.take(), await turns.take(), await turns.take()]).toEqual([
      'a1',
      'b1',
      'a2',
      'a3',
    ])
  })

  it('take three urgent pieces for each patient one while both wait, and what there is when one waits alone', async () => {
    const turns = new PieceTurns<string>()
    turns.add({ pieces: ['p1', 'p2', 'p3'], lane: 'patient' })
    turns.add({ pieces: ['u1', 'u2', 'u3', 'u4', 'u5'], lane: 'urgent' })
    const taken: unknown[] = []
    for (let i = 0; i < 8; i++) taken.push(await turns.take())

    expect(taken).toEqual(['u1', 'u2', 'p1', 'u3', 'u4', 'u5', 'p2', 'p3'])
  })

  it('wake as many takers as there are pieces', async () => {
    const turns = new PieceTurns<string>()
    const takers = [turns.take(), turns.take(), turns.take()]
    turns.add({ pieces: ['a1', 'a2'], lane: 'patient' })
    turns.close()

    expect(await Promise.all(takers)).toEqual(['a1', 'a2', undefined])
  })

  it('go on after a caller with nothing: nobody is woken, which would mean closed', async () => {
    const turns = new PieceTurns<string>()
    const taker = turns.take()
    turns.add({ pieces: [], lane: 'patient' })
    turns.add({ pieces: ['a1'], lane: 'patient' })

    expect(await taker).toBe('a1')
    turns.add({ pieces: [], lane: 'patient' })
    turns.add({ pieces: ['b1'], lane: 'patient' })
    expect(await turns.take()).toBe('b1')
  })

  it('give back what nobody took when closed', async () => {
    const turns = new PieceTurns<string>()
    turns.add({ pieces: ['a1', 'a2'], lane: 'patient' })
    await turns.take()

    expect(turns.close()).toEqual(['a2'])
    expect(await turns.take()).toBeUndefined()
  })
})

describe('what was read of an article', () => {
  const width = 3
  const values = (length: number) => fc.array(fc.float({ noNaN: true }), { minLength: length, maxLength: length })
  const sentence = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 5 }).chain((pieces) =>
    fc.record({
      tags: fc.uint8Array({ minLength: pieces.length, maxLength: pieces.length, max: 8 }),
      pieces: fc.constant(pieces),
      vector: values(DIM).map((each) => Float32Array.from(each)),
      mapped: values(width * pieces.reduce((sum, each) => sum + each, 0)).map((each) => Float32Array.from(each)),
    }),
  )

  it('is the same after it was packed and unpacked', () => {
    fc.assert(
      fc.property(fc.array(sentence, { maxLength: 4 }), fc.nat({ max: 2 }), (read, unread) => {
        const words = [...read.map(({ tags }) => tags.length), ...Array.from({ length: unread }, () => 7)]
        expect(unpackedStates(packedStates(read), words, width)).toEqual(read)
      }),
    )
  })
})

describe('windows of an article', () => {
  it('hold whole sentences, as many as fit', () => {
    expect(windowEnds([[2, 2], [3], [3], [1]], 7)).toEqual([7, 11])
    expect(windowEnds([], 7)).toEqual([])
  })

  it('cut a sentence that is longer than a window between words, in a window of its own', () => {
    expect(windowEnds([[1], [3, 3, 3, 3], [1]], 7)).toEqual([1, 7, 14])
  })

  it('hold every piece once, at most as many as a window has, and end between words', () => {
    const words = fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 12 })
    fc.assert(
      fc.property(fc.array(words, { maxLength: 8 }), (sentences) => {
        const ends = windowEnds(sentences, 7)
        let at = 0
        const between = new Set(sentences.flat().map((pieces) => (at += pieces)))

        expect(ends.at(-1) ?? 0).toBe(at)
        ends.forEach((end, i) => {
          expect(between.has(end)).toBe(true)
          expect(end - (ends[i - 1] ?? 0)).toBeLessThanOrEqual(7)
          expect(end).toBeGreaterThan(ends[i - 1] ?? 0)
        })
      }),
    )
  })

  it('stop after the pieces that are read of an article; the first sentence is always read', () => {
    const idsOf = (word: string) => Array.from({ length: word.length }, () => 7)
    const sentence = Array.from({ length: 100 }, () => 'four')
    const read = articlePieces([sentence, sentence, sentence, sentence], { idsOf, unknown: 1 })
    const endless = articlePieces([Array.from({ length: 2_000 }, () => 'x')], { idsOf, unknown: 1 })

    expect([read.sentences.length, read.ids.length, read.words.at(-1)]).toEqual([3, 1_200, 299])
    expect(endless.ids).toHaveLength(2_000)
  })

  it('hold an unknown piece for a word that the tokeniser removes, and no more than 16 of a word', () => {
    const idsOf = (word: string) => Array.from({ length: word.length - 1 }, () => 7)
    const { ids, sentences } = articlePieces([['x', 'x'.repeat(40)]], { idsOf, unknown: 1 })

    expect(ids).toEqual([1, ...Array.from({ length: 16 }, () => 7)])
    expect(sentences).toEqual([[1, 16]])
  })
})

describe('windows', () => {
  const onePieceAWord = (text: string) => text.split(' ').filter(Boolean).map(Number)
  const numbered = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)
  const numbers = (from: number, count: number) => numbered(from, count).join(' ')

  it('of a sentence hold its first 126 pieces', () => {
    expect(sentenceWindow(onePieceAWord, numbers(1, 200))).toEqual(numbered(1, 126))
    expect(sentenceWindow(onePieceAWord, '')).toEqual([])
  })

  it('of a lead hold at most 60 pieces of the title and then the body', () => {
    expect(leadWindow(onePieceAWord, { title: numbers(1, 100), body: numbers(500, 300) })).toEqual([
      ...numbered(1, 60),
      ...numbered(500, 66),
    ])
    expect(leadWindow(onePieceAWord, { title: '', body: numbers(500, 300) })).toEqual(numbered(500, WINDOW))
    expect(leadWindow(onePieceAWord, { title: '1 2', body: '' })).toEqual([1, 2])
  })
})

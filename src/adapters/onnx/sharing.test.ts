import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { words } from '../../language/recogniser/words.ts'
import { pieces, topicOf } from './encoder-work.ts'
import { cached } from './models.ts'
import { PieceTurns } from './encoder-pool.ts'
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
    turns.add({ pieces: ['a1', 'a2', 'a3'], lane: 'patient', home: null })
    turns.add({ pieces: ['b1'], lane: 'patient', home: null })

    expect([await turns.take(0), await turns.take(0), await turns.take(0), await turns.take(0)]).toEqual([
      'a1',
      'b1',
      'a2',
      'a3',
    ])
  })

  it('take three urgent pieces for each patient one while both wait, and what there is when one waits alone', async () => {
    const turns = new PieceTurns<string>()
    turns.add({ pieces: ['p1', 'p2', 'p3'], lane: 'patient', home: null })
    turns.add({ pieces: ['u1', 'u2', 'u3', 'u4', 'u5'], lane: 'urgent', home: null })
    const taken: unknown[] = []
    for (let i = 0; i < 8; i++) taken.push(await turns.take(0))

    expect(taken).toEqual(['u1', 'u2', 'p1', 'u3', 'u4', 'u5', 'p2', 'p3'])
  })

  it('wake as many takers as there are pieces', async () => {
    const turns = new PieceTurns<string>()
    const takers = [turns.take(0), turns.take(0), turns.take(0)]
    turns.add({ pieces: ['a1', 'a2'], lane: 'patient', home: null })
    turns.close()

    expect(await Promise.all(takers)).toEqual(['a1', 'a2', undefined])
  })

  it('go on after a caller with nothing: nobody is woken, which would mean closed', async () => {
    const turns = new PieceTurns<string>()
    const taker = turns.take(0)
    turns.add({ pieces: [], lane: 'patient', home: null })
    turns.add({ pieces: ['a1'], lane: 'patient', home: null })

    expect(await taker).toBe('a1')
    turns.add({ pieces: [], lane: 'patient', home: null })
    turns.add({ pieces: ['b1'], lane: 'patient', home: null })
    expect(await turns.take(0)).toBe('b1')
  })

  it('keep for one home what is its own, and let it wait for that alone', async () => {
    const turns = new PieceTurns<string>()
    turns.add({ pieces: ['for 1', 'for 1 too'], lane: 'patient', home: 1 })
    turns.add({ pieces: ['for all'], lane: 'patient', home: null })

    expect(await turns.take(0)).toBe('for all')
    const waiting = turns.take(0)
    expect([await turns.take(1), await turns.take(1)]).toEqual(['for 1', 'for 1 too'])
    turns.add({ pieces: ['for 0'], lane: 'patient', home: 0 })
    expect(await waiting).toBe('for 0')
  })

  it('give back what nobody took when closed', async () => {
    const turns = new PieceTurns<string>()
    turns.add({ pieces: ['a1', 'a2'], lane: 'patient', home: null })
    await turns.take(0)

    expect(turns.close()).toEqual(['a2'])
    expect(await turns.take(0)).toBeUndefined()
  })
})

describe('what was computed recently', () => {
  it('is not computed again, until other windows have taken its place', async () => {
    let computed = 0
    const lookUp = cached((window) => Promise.resolve(`${window.join()} ${++computed}`), 2)

    expect([await lookUp([1]), await lookUp([1, 2]), await lookUp([1])]).toEqual(['1 1', '1,2 2', '1 1'])
    expect([await lookUp([3]), await lookUp([1]), await lookUp([1, 2])]).toEqual(['3 3', '1 1', '1,2 4'])
  })

  it('is tried again when it failed', async () => {
    let calls = 0
    const lookUp = cached(async () => (++calls === 1 ? Promise.reject(new Error('once')) : 'well'))

    await expect(lookUp([1])).rejects.toThrow('once')
    expect(await lookUp([1])).toBe('well')
  })
})

it('an article is known by its first sentence, as a text and as words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect(topicOf(words(text, 0, text.length).texts)).toBe(topicOf(text))
    }),
  )
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

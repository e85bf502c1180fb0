import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pieces } from './pieces.ts'
import { Turns } from './turns.ts'
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
    const turns = new Turns<string>()
    turns.add(['a1', 'a2', 'a3'], 'patient')
    turns.add(['b1'], 'patient')

    expect([await turns.take(), await turns.take(), await turns.take(), await turns.take()]).toEqual([
      'a1',
      'b1',
      'a2',
      'a3',
    ])
  })

  it('take three urgent pieces for each patient one while both wait, and what there is when one waits alone', async () => {
    const turns = new Turns<string>()
    turns.add(['p1', 'p2', 'p3'], 'patient')
    turns.add(['u1', 'u2', 'u3', 'u4', 'u5'], 'urgent')
    const taken: unknown[] = []
    for (let i = 0; i < 8; i++) taken.push(await turns.take())

    expect(taken).toEqual(['u1', 'u2', 'p1', 'u3', 'u4', 'u5', 'p2', 'p3'])
  })

  it('wake as many takers as there are pieces', async () => {
    const turns = new Turns<string>()
    const takers = [turns.take(), turns.take(), turns.take()]
    turns.add(['a1', 'a2'], 'patient')
    turns.close()

    expect(await Promise.all(takers)).toEqual(['a1', 'a2', undefined])
  })

  it('go on after a caller with nothing: nobody is woken, which would mean closed', async () => {
    const turns = new Turns<string>()
    const taker = turns.take()
    turns.add([], 'patient')
    turns.add(['a1'], 'patient')

    expect(await taker).toBe('a1')
    turns.add([], 'patient')
    turns.add(['b1'], 'patient')
    expect(await turns.take()).toBe('b1')
  })

  it('give back what nobody took when closed', async () => {
    const turns = new Turns<string>()
    turns.add(['a1', 'a2'], 'patient')
    await turns.take()

    expect(turns.close()).toEqual(['a2'])
    expect(await turns.take()).toBeUndefined()
  })
})

describe('windows', () => {
  const onePieceAWord = (text: string) => text.split(' ').filter(Boolean).map(Number)
  const numbered = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)
  const words = (from: number, count: number) => numbered(from, count).join(' ')

  it('of a sentence hold its first 126 pieces', () => {
    expect(sentenceWindow(onePieceAWord, words(1, 200))).toEqual(numbered(1, 126))
    expect(sentenceWindow(onePieceAWord, '')).toEqual([])
  })

  it('of a lead hold at most 60 pieces of the title and then the body', () => {
    expect(leadWindow(onePieceAWord, { title: words(1, 100), body: words(500, 300) })).toEqual([
      ...numbered(1, 60),
      ...numbered(500, 66),
    ])
    expect(leadWindow(onePieceAWord, { title: '', body: words(500, 300) })).toEqual(numbered(500, WINDOW))
    expect(leadWindow(onePieceAWord, { title: '1 2', body: '' })).toEqual([1, 2])
  })
})

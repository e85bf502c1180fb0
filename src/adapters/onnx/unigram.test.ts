import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { projectPath } from '../../config/project-path.ts'
import { openUnigram } from './unigram.ts'

const pieces = openUnigram(readFileSync(projectPath('models/cross-language/pieces.bin.gz')))

describe('the Unigram tokeniser', () => {
  it.each([
    ['query: Merkel resigns', [41, 1294, 12, 42466, 199747, 7]],
    ['Hello  world', [35378, 8999]], // two spaces are one
    ['İstanbul’da', [10621, 26, 85]],
    ['政府星期二表示', [6, 4016, 32999, 3195, 2575]],
    ['', [6]],
  ])('splits %j as XLM-RoBERTa does', (text, indexes) => {
    expect(pieces(text).indexes).toEqual(indexes)
  })

  it('places the pieces in the text', () => {
    const text = 'Talks in Genève'
    const { starts, ends } = pieces(text)

    expect(starts.map((start, i) => text.slice(start, ends[i]))).toEqual(['Talk', 's', ' in', ' Genève'])
  })

  it('covers every text without gaps, whatever its characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const { indexes, starts, ends } = pieces(text)

        expect([starts.length, ends.length]).toEqual([indexes.length, indexes.length])
        for (const [i, start] of starts.entries()) expect(start).toBe(i === 0 ? 0 : ends[i - 1])
        expect(ends.at(-1) ?? 0).toBeLessThanOrEqual(text.length)
      }),
    )
  })
})

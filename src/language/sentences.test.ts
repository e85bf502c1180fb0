import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LONGEST_SENTENCE, sentences } from './sentences.ts'

const cut = (text: string) => sentences(text).map(({ start, end }) => text.slice(start, end))

describe('where sentences end', () => {
  it.each([
    ['titles and initials', ['Mr. Smith met Sen. J. K. Jones in St. Louis.', 'He left.']],
    ['abbreviations inside', ['The U.S. Senate voted on Jan. 5 at 3 p.m. EST.', 'It failed.']],
    ['abbreviations at the end', ['He lives in the U.S.', 'The others moved.']],
    ['decimals and sums', ['It cost $3.5 million, or 4.75 percent.', 'That was No. 1.']],
    ['quoted questions', ['"Really?" he asked.', '"Yes!"', 'She left.']],
    ['curly quotes', ['“Stop.”', '“Go on,” he said.']],
    ['ellipses', ['Well... he thought so.', 'Then…', 'Nothing.']],
    ['brackets', ['He left (she stayed.)', 'Done?!', 'Yes.']],
    ['addresses', ['See example.com or mail a.b@example.org today.', 'Thanks.']],
    ['Arabic and Hindi stops', ['هل ذهب؟', 'نعم.', 'वह गया।', 'हाँ।']],
  ])('%s', (_, expected) => {
    expect(cut(expected.join(' '))).toEqual(expected)
  })

  it('needs no blank after a Chinese or Japanese stop, nor after one whose blank was lost', () => {
    expect(cut('今日は雨です。明日は晴れ！')).toEqual(['今日は雨です。', '明日は晴れ！'])
    expect(cut('They took a vote.The mayor left.')).toEqual(['They took a vote.', 'The mayor left.'])
  })

  it('takes headings and list items for sentences, and joins wrapped lines', () => {
    expect(cut('What we know\n\n1. It rained.\n- Roads are wet\n- Trains stopped')).toEqual([
      'What we know',
      '1. It rained.',
      '- Roads are wet',
      '- Trains stopped',
    ])
    expect(cut('The committee has not yet come to a decision on the\nnew bridge.')).toHaveLength(1)
  })

  it('cuts a text without any stop at a blank before its thousandth character', () => {
    const endless = 'word '.repeat(1_000)

    expect(sentences(endless).every(({ start, end }) => end - start <= LONGEST_SENTENCE && end - start > 900)).toBe(
      true,
    )
    expect(cut(endless).join(' ')).toBe(endless.trim())
  })

  it('never cuts a character in half', () => {
    expect(cut('🎉'.repeat(1_501)).join('|')).not.toMatch(/\p{Cs}/u)
  })
})

it('gives spans in order, apart, inside the text, without blanks around, and covers all that is not blank', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.constantFrom(
      '. ',
      'Mr. ',
      '\n',
      '\n\n',
      ' \n ',
      '"',
      '!? ',
      '。',
      'The ',
      'a ',
      'U.S. ',
      '... ',
      '🎉',
      'x'.repeat(600),
      ' '.repeat(30),
    ),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('')
      const spans = sentences(text)
      let before = 0
      for (const { start, end } of spans) {
        expect(start).toBeGreaterThanOrEqual(before)
        expect(end).toBeGreaterThan(start)
        expect(end - start).toBeLessThanOrEqual(LONGEST_SENTENCE)
        expect(text.slice(before, start).trim()).toBe('')
        expect(text.slice(start, end)).toBe(text.slice(start, end).trim())
        before = end
      }
      expect(text.slice(before).trim()).toBe('')
    }),
  )
})

it('takes linear time on 200,000 characters', () => {
  const hostile = ['.', 'a. ', '\n', '\n \n', ' ', 'x', 'Mr. ', '."', 'aaa b\n', 'A.', '。', 'x\n\t', '1. ']
  const took = hostile.map((unit) => {
    const start = process.cpuUsage()
    sentences(unit.repeat(200_000 / unit.length))
    return process.cpuUsage(start).user / 1_000 // of this process: a busy machine changes nothing
  })

  expect(Math.max(...took)).toBeLessThan(1_000)
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leastCpuMs } from '../../test/builders/cpu.ts'
import { LONGEST_SENTENCE, sentences } from './sentences.ts'

const cut = (text: string) => sentences(text).map(({ start, end }) => text.slice(start, end))

describe('where sentences end', () => {
  it.each([
    ['titles and initials', ['Mr. Smith met Sen. J. K. Jones and F. A. Hayek in St. Louis.', 'He left.']],
    ['abbreviations inside', ['The U.S. Senate voted on Jan. 5 at 3 p.m. EST.', 'It failed.']],
    ['abbreviations at the end', ['He lives in the U.S.', 'The others moved.']],
    ['decimals and sums', ['It cost $3.5 million, or 4.75 percent.', 'That was No. 1.']],
    ['quoted questions', ['"Really?" he asked.', '"Yes!"', 'She left.']],
    ['curly quotes', ['“Stop.”', '“Go on,” he said.']],
    ['ellipses', ['Well... he thought so.', 'Then…', 'Nothing.']],
    ['brackets', ['He left (she stayed.)', 'Done?!', 'Yes.']],
    ['addresses', ['See example.com or mail a.b@example.org today.', 'Thanks.']],
    [
      'military, company and state abbreviations',
      ['Then-Rep. Joe Fox met Brig. Gen. Ann Lee of Apple Inc. (AAPL) in Mass. Pike.', 'It was 10 a.m. (CDT).'],
    ],
    [
      'words that are abbreviations only when capital',
      ['He was ill.', 'Trump said no.', 'Congress sat.', 'Marine One left.'],
    ],
    ['numbers after abbreviations', ['See No. 5, pp. 12 and Fig. 3, or (b. 1950).', 'He did.']],
    ['the army and the country', ['The U.S. Army left the U.S.', 'The British stayed, e.g. in Basra, i.e. the south.']],
    ['names with marks', ['Yahoo! Inc. bought E! Online vs. Jeb! Bush.', 'Yahoo!', 'He won.']],
    [
      'a speaker after a quoted question',
      ['“Why?” Mr. Llamas asked.', '“Never!” Trump tweeted.', '“Go?”', 'She went.'],
    ],
    ['spaced ellipses', ['He said . . . nothing.', 'Then . . .', 'Nothing.']],
    ['ellipses between sentences', ['It is wrong. …', 'They know it.', 'Fine.']],
    ['small beginnings', ['are you there?', 'i am not.', 'iPhone sales fell.', 'eBay rose.']],
    ['links', ['Read https://example.com/a.Html?Page=1.Two or mail Ann.Lee@Example.com.', 'https://t.co/x is new.']],
    ['emoji, smileys and notes', ['We won! 🎉🎉', 'Join us. :-)', 'It ended.[12]', 'Then it rained.']],
    ['bullets in a line', ['Three things:', '• one thing', '• another.', 'That is it.']],
    ['German dates', ['Am 3. Mai kam er z.B. nach Berlin.', 'Er blieb.']],
    ['Burmese and Armenian stops', ['သူသွားသည်။', 'Նա գնաց։', 'Այո։']],
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

  it('takes a line that is too long to have been wrapped for a paragraph', () => {
    const paragraph =
      'Officials of the city of New York met with the governor and talked of nothing but the weather for the'
    expect(cut(`The president of the council has spoken to the Press\n${paragraph} day`)).toHaveLength(2)
    expect(cut(`${paragraph} day\nNobody came`)).toHaveLength(2)
    expect(cut('The president of the council has spoken at length to\nJohn Smith of the Press')).toHaveLength(1)
  })

  it('cuts a long sentence after a clause rather than between two words', () => {
    const clause = `${'word '.repeat(30)}end, `
    expect(cut(clause.repeat(20)).every((piece) => piece.endsWith('end,'))).toBe(true)
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
    expect(cut('👩‍🚒'.repeat(999)).every((piece) => /^(?:👩‍🚒)+$/u.test(piece))).toBe(true)
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
      ' •',
      '[3]',
      ':-)',
      '?" Jo said ',
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
  const hostile = [
    '.',
    'a. ',
    '\n',
    '\n \n',
    ' ',
    'x',
    'Mr. ',
    '."',
    'aaa b\n',
    'A.',
    '。',
    'x\n\t',
    '1. ',
    '• ',
    '? 🎉',
    '.[1]',
    'a/b.Xy',
    ' ...',
    '၊။',
  ]
  const took = hostile.map((unit) => leastCpuMs(() => sentences(unit.repeat(200_000 / unit.length)), 1_000))

  expect(Math.max(...took)).toBeLessThan(1_000)
}, 60_000)

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { A_REPORT } from '../../../test/builders/articles.ts'
import { projectPath } from '../../project-path.ts'
import { languageOf } from '../language-of.ts'
import { coherence, sentenceCount, sentenceLength, sentimentConsistency } from './coherence.ts'
import { NEUTRAL } from './credibility.ts'
import { density, depth, length, structure } from './depth.ts'
import { quality, ratingOf } from './quality.ts'
import { read } from './reading.ts'
import { capitals, cleanness, repetition, specialCharacters, urlDensity } from './spam.ts'

const GATE = 0.53
const scoreOf = (text: string) => quality(read(text, languageOf(text)), NEUTRAL).score

const junk = new URL('./junk/', import.meta.url)
const kinds = readdirSync(junk).map((file) => ({
  kind: file.replace('.txt', ''),
  text: readFileSync(new URL(file, junk), 'utf8'),
}))

describe('junk stays below the gate, whoever prints nothing known against it', () => {
  it('has at least ten kinds', () => {
    expect(kinds.length).toBeGreaterThanOrEqual(10)
  })

  it.each(kinds)('$kind', ({ text }) => {
    const score = scoreOf(text)

    expect(text.length).toBeGreaterThan(100)
    expect(score).toBeLessThan(GATE)
  })
})

describe('news passes the gate, whoever prints it', () => {
  const brief =
    'ROME (Reuters) - Three climbers were found alive on Sunday after a night on Mont Blanc, police said. The Frenchmen had lost their way in fog. They were taken to a hospital in Aosta by helicopter.'
  const german =
    'Der Bundestag hat am Dienstag über das neue Gesetz zur Rente beraten. Die Opposition warf der Regierung vor, die Kosten zu verschweigen.\n\nEin Sprecher des Ministeriums sagte, die Zahlen würden in der kommenden Woche vorgelegt. Bis dahin müsse man sich gedulden, auch wenn es vielen nicht schnell genug gehe.'
  const chinese =
    '国务院总理星期二在北京会见了来访的外国客人，双方就贸易和气候问题交换了意见。他说，中国愿意同各国一道扩大合作。\n\n来访的客人表示，两国之间的贸易在过去十年里增长了一倍。会谈之后双方签署了三项协议。预计明年春天将举行下一轮会谈。'
  const arabic =
    'قال وزير الخارجية يوم الثلاثاء إن المحادثات سوف تستأنف في الأسبوع المقبل في جنيف. وأضاف أن الحكومة مستعدة للتعاون مع جميع الأطراف.\n\nوكانت الجولة السابقة قد انتهت من دون اتفاق. ومن المتوقع أن يشارك في المحادثات ممثلون عن عشر دول.'

  it.each([
    ['a report', A_REPORT],
    ['a brief of three sentences', brief],
    ['German', german],
    ['Chinese', chinese],
    ['Arabic', arabic],
  ])('%s', (_, text) => {
    expect(scoreOf(text)).toBeGreaterThanOrEqual(GATE)
  })
})

it('at least 95 of 100 real articles pass the gate, whoever prints them', ({ skip }) => {
  const file = projectPath('../shared/data/stories/allsides-2016-2018.jsonl.gz')
  if (!existsSync(file)) skip('the article set is not beside this checkout')
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n').filter(Boolean)

  const scores = lines
    .filter((_, i) => i % 20 === 0)
    .map((line) => scoreOf((JSON.parse(line) as { text: string }).text))

  expect(scores.filter((score) => score >= GATE).length / scores.length).toBeGreaterThanOrEqual(0.95)
})

describe('each factor is between 0 and 1, whatever it is given', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 400 }),
    fc
      .array(
        fc.constantFrom('The ', 'mayor ', 'A. ', '!!! ', 'BUY ', 'http://x.y ', '\n', '\n\n', '。', '5.5 ', '', '"'),
        { maxLength: 200 },
      )
      .map((parts) => parts.join('')),
  )
  const factors = {
    depth,
    length,
    density,
    structure,
    coherence,
    sentenceCount,
    sentenceLength,
    sentimentConsistency,
    cleanness,
    capitals,
    repetition,
    urlDensity,
    specialCharacters,
  }

  it.each(Object.entries(factors))('%s', (_, factor) => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('en', 'de', 'zh', 'und'), (text, language) => {
        const value = factor(read(text, language))
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('and the score is their weighted sum', () => {
    fc.assert(
      fc.property(anyText, fc.double({ min: 0, max: 1, noNaN: true }), (text, credibility) => {
        const { score, parts } = quality(read(text, 'en'), credibility)
        expect(score).toBeCloseTo(
          0.4 * parts.depth + 0.3 * parts.coherence + 0.2 * parts.credibility + 0.1 * parts.spam,
          3,
        )
        expect(parts.rating).toBe(ratingOf(score))
      }),
    )
  })
})

describe('what each factor answers to', () => {
  const of = (text: string) => read(text, 'en')

  it('length: more sentences that say something', () => {
    expect(length(of(A_REPORT))).toBeGreaterThan(length(of(A_REPORT.slice(0, 200))))
    expect(length(of(`${A_REPORT}\n\n${A_REPORT}`))).toBe(length(of(A_REPORT)))
  })

  it('density: falls when the text is diluted with debris', () => {
    expect(density(of(`${A_REPORT}\n${'Home\nNews\nSport\n'.repeat(60)}`))).toBeLessThan(density(of(A_REPORT)))
  })

  it('structure: falls when the paragraphs are lost or crumbled', () => {
    const long = Array.from({ length: 12 }, () => A_REPORT).join('\n\n')
    expect(structure(of(long.replaceAll('\n\n', ' ')))).toBeLessThan(structure(of(long)))
    expect(structure(of(A_REPORT.replaceAll(' ', '\n\n')))).toBe(0)
  })

  it('sentence count and length: none without sentences, less for endless ones', () => {
    expect(sentenceCount(of('one two three four five six seven'))).toBe(0)
    expect(sentenceLength(of('and so on '.repeat(60)))).toBe(0)
    expect(sentenceLength(of(A_REPORT))).toBe(1)
  })

  it('sentiment consistency: falls with every leap from delight to disgust', () => {
    const leaps =
      'It was a wonderful and beautiful day of great joy. It was a terrible and horrible murder of the dead. '.repeat(1)
    expect(sentimentConsistency(of(leaps))).toBe(0.5)
    expect(sentimentConsistency(of(A_REPORT))).toBe(1)
  })

  it.each([
    ['capitals', capitals, A_REPORT.toUpperCase()],
    ['repetition', repetition, 'The pills are good pills and the pills work. '.repeat(12)],
    ['URL density', urlDensity, 'See https://a.example now. '.repeat(20)],
    ['special characters', specialCharacters, 'Win $$$ ★★★ now!!! '.repeat(20)],
  ])('%s: clean in a report, none in its caricature', (_, habit, caricature) => {
    expect(habit(of(A_REPORT))).toBe(1)
    expect(habit(of(caricature))).toBe(0)
  })
})

it('rates by the published bounds', () => {
  expect([0.8, 0.79, 0.65, 0.64, 0.5, 0.49, 0.3, 0.29].map(ratingOf)).toEqual([
    'Excellent',
    'Good',
    'Good',
    'Medium',
    'Medium',
    'Low',
    'Low',
    'Noise',
  ])
})

it('reads 200,000 characters in linear time, however they are made', () => {
  const hard = ['a ', 'A. ', '.', '\n', ' \n ', 'x', '!?', 'Aa.\n', '东', 'https://', '"'].map((unit) =>
    unit.repeat(200_000 / unit.length),
  )
  const took = hard.map((text) => {
    const start = process.cpuUsage()
    quality(read(text, 'en'), 0.5)
    return process.cpuUsage(start).user / 1_000 // of this process: a busy machine changes nothing
  })

  expect(Math.max(...took)).toBeLessThan(2_000)
})

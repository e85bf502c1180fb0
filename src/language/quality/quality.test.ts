import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { A_REPORT } from '../../../test/builders/articles.ts'
import { leastCpuMs } from '../../../test/builders/cpu.ts'
import { realArticles } from '../../../test/builders/real-articles.ts'
import { languageOf } from '../language-of.ts'
import { plainText } from '../plain-text.ts'
import {
  coherence,
  sentenceCount,
  sentenceLength,
  sentimentConsistency,
  density,
  depth,
  length,
  structure,
  quality,
  ratingOf,
  capitals,
  cleanness,
  repetition,
  specialCharacters,
  urlDensity,
} from './quality.ts'
import { NEUTRAL } from './credibility.ts'
import { read } from './reading.ts'

const GATE = 0.53
const scoreOf = async (text: string, credibility = NEUTRAL) =>
  quality(read(text, await languageOf(text)), credibility).score

const textsIn = (folder: string) =>
  readdirSync(new URL(folder, import.meta.url)).map((file) => ({
    kind: file.replace(/(?:-\d+)?\.txt$/u, ''),
    file,
    text: readFileSync(new URL(`${folder}${file}`, import.meta.url), 'utf8'),
  }))

const samples = textsIn('./junk/')
const shareBelow = async (credibility: number) => {
  const scores = await Promise.all(samples.map(({ text }) => scoreOf(text, credibility)))
  return scores.filter((score) => score < GATE).length / samples.length
}

describe('junk stays below the gate', () => {
  it('has at least twenty kinds, short and long', () => {
    expect(new Set(samples.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(20)
    expect(samples.filter(({ text }) => text.length < 350).length).toBeGreaterThan(20)
    expect(samples.filter(({ text }) => text.length > 2_000).length).toBeGreaterThan(15)
    expect(samples.filter(({ text }) => text.length < 100)).toEqual([])
  })

  it('at least 95 of 100, where nothing is known of who prints it', async () => {
    expect(await shareBelow(NEUTRAL)).toBeGreaterThanOrEqual(0.95)
  })

  it('nine of ten even under the best of names', async () => {
    expect(await shareBelow(0.95)).toBeGreaterThanOrEqual(0.9)
  })
})

describe('what people write for people passes, of whatever genre', () => {
  it.each(textsIn('./legit/'))('$file', async ({ text }) => {
    expect(await scoreOf(text)).toBeGreaterThanOrEqual(GATE)
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
    [
      'French',
      'Le président de la République a reçu jeudi à l’Élysée les représentants des syndicats. Selon son entourage, la réforme des retraites ne sera pas retirée. Une nouvelle journée de mobilisation est prévue le 12 mars dans toute la France.',
    ],
    [
      'Spanish',
      'El Tribunal Supremo confirmó este lunes la condena de seis años de prisión contra el exalcalde de Valencia. La defensa anunció que presentará un recurso ante el Constitucional. El exalcalde fue detenido en 2015 por presunta corrupción.',
    ],
    [
      'Portuguese',
      'O governo federal anunciou nesta quarta-feira um pacote de medidas para conter a alta dos combustíveis. Segundo o ministro da Economia, o impacto será de 3 bilhões de reais. A oposição criticou a proposta no Congresso.',
    ],
    [
      'Italian',
      'La Procura di Milano ha aperto un’inchiesta sul crollo del viadotto avvenuto domenica mattina. Secondo i primi accertamenti, i piloni erano stati controllati nel 2014. Non ci sono vittime, ma due automobilisti sono rimasti feriti.',
    ],
    [
      'Russian',
      'В Новосибирске в среду утром загорелся склад стройматериалов. По данным МЧС, площадь пожара достигла двух тысяч квадратных метров. Никто не пострадал, причины возгорания выясняются.',
    ],
    [
      'Japanese',
      '気象庁は金曜日、台風１２号が週末に九州へ上陸する恐れがあると発表した。自治体は住民に早めの避難を呼びかけている。鉄道各社は土曜日の午後から運転を見合わせる予定だ。昨年の台風では三人が死亡し、五千戸が停電した。',
    ],
    [
      'Hindi',
      'दिल्ली उच्च न्यायालय ने सोमवार को सरकार से प्रदूषण पर रिपोर्ट मांगी। न्यायाधीश ने कहा कि हालात गंभीर हैं। अगली सुनवाई १२ नवंबर को होगी। मंत्रालय ने बताया कि नए नियम जल्द लागू किए जाएंगे।',
    ],
    [
      'Turkish',
      'İstanbul’da çarşamba günü etkili olan sağanak yağış ulaşımı olumsuz etkiledi. Vali yaptığı açıklamada üç kişinin yaralandığını söyledi. Meteoroloji, yağışların cuma gününe kadar süreceğini bildirdi ve vatandaşları uyardı.',
    ],
    [
      'Korean',
      '서울시는 수요일 지하철 요금을 내년부터 인상하겠다고 발표했다. 시 관계자는 적자가 해마다 늘고 있다고 말했다. 시민 단체는 서민의 부담이 커진다며 반대하고 나섰다. 공청회는 다음 달 열릴 예정이다.',
    ],
    [
      'Polish',
      'W katastrofie autobusu pod Krakowem zginęły w poniedziałek trzy osoby, a dziesięć zostało rannych. Jak podała policja, kierowca był trzeźwy. Przyczyny wypadku bada prokuratura.',
    ],
    [
      'a brief of one sentence',
      'LONDON (Reuters) - Oil prices fell more than two percent on Monday after Saudi Arabia said it would raise output in June.',
    ],
    [
      'a brief from a court',
      'A 34-year-old man was arrested in Bristol on Sunday on suspicion of murder after a woman was found dead at a flat in Clifton, police said.',
    ],
    [
      'a brief from a market',
      'Apple Inc reported quarterly earnings of $2.34 a share on sales of $53.3 billion, beating the forecasts of analysts polled by FactSet.',
    ],
    [
      'a result',
      'Serena Williams beat Maria Sharapova 6-2, 6-1 in the quarter-finals of the Australian Open on Tuesday to reach the last four in Melbourne.',
    ],
    [
      'a recipe',
      'Heat the oil in a large pan and fry the onions for ten minutes until they are golden. Add the garlic, the cumin and 400 g of chopped tomatoes, and simmer for another fifteen minutes.\n\nStir in the chickpeas and the spinach. Season with salt and pepper and serve with rice. The dish comes from the Punjab, where it was eaten by farm workers at noon.',
    ],
    [
      'a column',
      'The prime minister has learned nothing from the defeat. Three years ago he promised an honest debate about the cost of care; what the country got was a leaflet. Voters noticed.\n\nIt would be wrong to blame his advisers alone. He chose them, he kept them, and he ignored those who warned him in the autumn that the figures did not add up.',
    ],
  ])('%s', async (_, text) => {
    expect(await scoreOf(text)).toBeGreaterThanOrEqual(GATE)
  })
})

it('at least 95 of 100 real articles pass the gate with neutral credibility', async () => {
  const all = realArticles()
  const every = Math.max(1, Math.floor(all.length / 250))

  const scores = await Promise.all(all.filter((_, i) => i % every === 0).map(({ text }) => scoreOf(text)))

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
      'The crowd was full of joy and celebrated the wonderful victory on Sunday. On Monday the police found that he had been killed in a horrible murder.'
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

describe('evidence against a text counts by degrees', () => {
  const offers = [
    'Click here to read more.',
    'Visit our website and join now.',
    'Free shipping on your order, today only.',
  ]
  const column = readFileSync(new URL('./legit/letter-editor.txt', import.meta.url), 'utf8')

  it.each([A_REPORT, column])('every offer added makes its neighbours tell a little less', async (text) => {
    const first = [0, 1, 2, 3].map((count) => {
      const { sentences } = read([...offers.slice(0, count), text].join(' '), 'en')
      return sentences[count]?.informativeness ?? 0
    })

    expect(first).toEqual(first.toSorted((a, b) => b - a))
    expect(first[0]).toBe(1)
    expect(first.some((value) => value > 0 && value < 1)).toBe(true)
    expect(await scoreOf(`${offers[0] ?? ''} ${text}`)).toBeGreaterThanOrEqual(GATE)
  })

  it('one slip of grammar or one broken word does not sink a brief', async () => {
    const brief =
      'A fire broke out at a paper mill near Turku early on Friday and spread to to the of two stores nearby.'
    expect(await scoreOf(brief)).toBeGreaterThan(0.4)
    expect(await scoreOf(`${A_REPORT} He left the of it in a t0wn.`)).toBeGreaterThanOrEqual(GATE)
  })
})

describe('more of a thing never counts the other way', () => {
  const of = (text: string) => read(text, 'en')
  const news = [
    'Police arrested two men in Leeds on Friday.',
    'The court in Hamburg said that the ban was against the law.',
    'Snow closed the roads between Oslo and Bergen for nine hours.',
    'The minister told reporters that he had not read the letter.',
    'Some 3,000 people marched through Madrid after the vote.',
    'The bank said that its profit had fallen in the third quarter.',
    'Researchers at the university found the virus in bats.',
    'She was taken to a hospital in Denver, where she died.',
  ]
  const aReport = fc.shuffledSubarray(news, { minLength: 3, maxLength: 7 })
  const apart = (sentences: readonly string[]) => sentences.join(' ')
  const holds = (habit: (reading: ReturnType<typeof of>) => number, worse: string) =>
    fc.assert(
      fc.property(aReport, fc.integer({ min: 0, max: 12 }), (report, times) => {
        const less = habit(of(`${apart(report)} ${worse.repeat(times)}`))
        const more = habit(of(`${apart(report)} ${worse.repeat(times + 1)}`))
        expect(more).toBeLessThanOrEqual(less)
      }),
    )

  it('another sentence of news never makes a report shorter', () => {
    fc.assert(
      fc.property(aReport, (report) => {
        const next = news.filter((sentence) => !report.includes(sentence))
        expect(length(of(apart([...report, ...next])))).toBeGreaterThan(length(of(apart(report))))
        expect(sentenceCount(of(apart([...report, ...next])))).toBeGreaterThanOrEqual(sentenceCount(of(apart(report))))
      }),
    )
  })

  it('said twice it counts once', () => {
    fc.assert(
      fc.property(aReport, (report) => {
        expect(length(of(apart([...report, ...report])))).toBe(length(of(apart(report))))
      }),
    )
  })

  it.each([
    ['addresses', urlDensity, 'https://a.example '],
    ['shouting', capitals, 'SCANDAL '],
    ['repeating', repetition, 'Nobody knew. '],
    ['special characters', specialCharacters, '★ '],
  ])('%s', (_, habit, worse) => {
    holds(habit, worse)
  })
})

describe('the score is the same however the text is stored', () => {
  const texts = [...samples.map(({ text }) => text), A_REPORT]
  const clean = (text: string) => scoreOf(plainText(text))

  it.each<[string, (text: string) => string]>([
    ['blanks at the end of lines', (text) => text.replaceAll('\n', '  \n')],
    ['Windows line ends', (text) => text.replaceAll('\n', '\r\n')],
    ['doubled blanks', (text) => text.replaceAll(' ', '  ')],
    ['tabs', (text) => text.replaceAll(' ', '\t')],
    ['blank lines around', (text) => `\n\n \n${text}\n\n`],
    ['letters and accents apart', (text) => text.normalize('NFD')],
    ['letters and accents in one', (text) => text.normalize('NFC')],
  ])('%s', async (_, stored) => {
    for (const text of texts) expect(await clean(stored(text))).toBe(await clean(text))
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

it('reads a word without end once, though it is cut into sentences', () => {
  const text = 'x'.repeat(50_000)
  expect(read(text, 'en').words.reduce((sum, word) => sum + word.length, 0)).toBe(text.length)
})

it('reads 200,000 characters in linear time, however they are made', () => {
  const hard = ['a ', 'A. ', '.', '\n', ' \n ', 'x', '!?', 'Aa.\n', '东', 'https://', '"'].map((unit) =>
    unit.repeat(200_000 / unit.length),
  )
  const took = hard.map((text) => leastCpuMs(() => quality(read(text, 'en'), 0.5), 2_000))

  expect(Math.max(...took)).toBeLessThan(2_000)
}, 60_000)

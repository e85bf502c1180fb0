import { sentences } from '../language/sentences.ts'
import { pick, sample } from './seeded-random.ts'

/** The input of an edit. An edit is a pure function of a text, a foreign text, and a seeded random generator. */
interface Edited {
  readonly text: string
  readonly foreign: string
  readonly random: () => number
}

type Edit = (edited: Edited) => string

/** The edits of `reference/clustering.md`, section 7: how one newsroom reprints the text of another. */
export const EDITS = {
  /** Other byline, dateline and footer; first words in capitals; other quotation marks, dashes and line ends. */
  byline: ({ text, random }) =>
    typeset(`${pick(random, PREFIXES)}${random() < 0.3 ? led(text) : text}${pick(random, FOOTERS)}`, random),
  cut60: ({ text }) => cut(text, 0.6),
  cut30: ({ text }) => cut(text, 0.3),
  /** 5 % of the words removed or replaced. */
  light5: ({ text, random }) =>
    text
      .split(/(\s+)/)
      .map((word) => (/\S/.test(word) && random() < 0.05 ? (random() < 0.5 ? '' : 'reportedly') : word))
      .join(''),
  /** A quarter of the sentences removed, three foreign sentences added at the beginning. */
  sent25: ({ text, foreign, random }) => {
    const own = split(text)
    return join([...split(foreign).slice(0, 3), ...sample(random, own, Math.ceil(own.length * 0.75))])
  },
  /** Half of the sentences, between three foreign sentences at the beginning and three at the end. */
  half: ({ text, foreign, random }) => {
    const own = split(text)
    const frame = split(foreign)
    return join([...frame.slice(0, 3), ...sample(random, own, Math.ceil(own.length / 2)), ...frame.slice(-3)])
  },
} as const satisfies Record<string, Edit>

export type EditName = keyof typeof EDITS

export const EDIT_NAMES = Object.keys(EDITS).filter((name): name is EditName => name in EDITS)

function cut(text: string, share: number): string {
  const words = text.split(/(?<=\s)(?=\S)/)
  return words.slice(0, Math.ceil(words.length * share)).join('')
}

const split = (text: string): string[] => sentences(text).map(({ start, end }) => text.slice(start, end))

const join = (parts: readonly string[]): string => parts.join(' ')

const PREFIXES = [
  'By Jane Q. Doe\n\n',
  'By JANE DOE and JOHN ROE, Associated Press\n\n',
  'JANE DOE\n\nAssociated Press\n\n',
  'WASHINGTON (AP) — ',
  'WASHINGTON (AP) -- ',
  'NEW YORK, March 4 (Reuters) - ',
  '(Reuters) - ',
  'LONDON (Reuters) – ',
  'PARIS, 12 May 2017 (AFP) - ',
  'St. Louis, Missouri (CNN) ',
  '(CNN)',
  'BEIJING, Oct. 9 (Xinhua) -- ',
  'MOSCOW, August 21. /TASS/. ',
  'NEW DELHI: ',
  'CHICAGO — ',
  'SEOUL, South Korea (AP) — ',
  'CHARLOTTESVILLE, Va./WASHINGTON (Reuters) - ',
  'WASHINGTON, D.C. (AP) _ ',
  'BERLIN/dpa - ',
  'Rome — ',
  '[Reuters] ',
  'Jane Doe, Reuters\n\n',
  'By Jane Doe | Reuters\n\n',
  'By JANE DOE, Associated Press Writer\n\n',
  'By JANE DOE, JOHN ROE and ANN POE\nAssociated Press\n\nCAIRO (AP) — ',
  'Jane Doe\nUSA TODAY\n\n',
  'Reuters Staff\n\n5 Min Read\n\n',
  'Source: Reuters\n\n',
  'March 4, 2017 / 4:15 PM / Updated 2 hours ago\n\n',
  'By Jane Doe\n\nPublished 4:15 PM EST, March 4, 2017 | Updated 6:02 PM EST\n\nDENVER (UPI) — ',
] as const

const FOOTERS = [
  '',
  '\n\n(Reporting by Jane Doe in New York; Additional reporting by John Roe; Editing by Max Foe and Ann Poe)',
  '\n\nReporting by Jane Doe; Editing by Max Foe\n\nOur Standards: The Thomson Reuters Trust Principles.',
  '\n\n___\n\nAssociated Press writer John Roe in Rome contributed to this report.',
  '\n\n© 2017 The Associated Press. All rights reserved.',
  '\n\nCopyright 2017 The Associated Press. All rights reserved. This material may not be published, broadcast, rewritten or redistributed.',
  '\n\nRead more: Ten things to know about this story\n\nFollow Jane Doe on Twitter: @janedoe',
  '\n\n© Agence France-Presse',
  '\n\nSign up for our newsletter to get the latest news in your inbox.',
  '\n\nThis story has been updated.',
  '\n\nThe Associated Press contributed to this report.',
  '\n\n— With assistance by John Roe, and Ann Poe',
  '\n\nSource: Reuters',
  '\n\nThe post Harbour bridge to close appeared first on Example Times.',
  '\n\nThis article originally appeared on Example Times.',
  '\n\n(Editing by Max Foe)',
  '\n\n(c) 2017 Example Times. Distributed by Example Content Agency, LLC.',
  '\n\nReuters',
  '\n\n###',
  '\n\nShare this:\n\nTweet\nEmail',
  '\n\nWrite to Jane Doe at jane.doe@example.com',
] as const

/** The first words in capitals, as some newspapers print them. */
const led = (text: string): string => text.replace(/^(?:\S+\s+){2}\S+/, (words) => words.toUpperCase())

/** The same words with the typography of another publishing system. */
function typeset(text: string, random: () => number): string {
  const quoted = random() < 0.5 ? straight(text) : curly(text)
  const dashed = random() < 0.5 ? quoted.replace(/—/g, ' -- ') : quoted
  return random() < 0.3 ? dashed.replace(/\n/g, '\r\n') : dashed
}

const straight = (text: string): string => text.replace(/[“”]/g, '"').replace(/[‘’]/g, "'")

const curly = (text: string): string =>
  text
    .replace(/(?<=\w)'(?=\w)/g, '’')
    .replace(/(?<=^|\s)"/g, '“')
    .replace(/"/g, '”')

import { patternsByName } from '../model-files.ts'
import type { SaidWords } from './said-words.ts'

/** What stands in a text says how it is meant; each is there or not. */
const PATTERNS = patternsByName('stance-cues')

/** In the order of `cues`. */
export const CUE_NAMES: readonly string[] = [
  ...PATTERNS.map(([name]) => name),
  'question',
  'ends_in_question',
  'questions',
  'exclamation',
  'exclamations',
  'ellipsis',
  'emoji',
  'quotation_mark',
  'capitals',
  'title_case',
  'length',
  'short',
  'empty',
  'numbers',
  'quotes',
  'full_stop',
]

const part = (count: number, of: number): number => (of === 0 ? 0 : count / of)
const yes = (is: boolean): number => (is ? 1 : 0)

/** Each from 0 to about 1. */
export function cues(said: SaidWords): number[] {
  const { own, words } = said
  const lower = own.toLowerCase()
  return [
    ...PATTERNS.map(([, pattern]) => yes(pattern.test(lower))),
    yes(own.includes('?')),
    yes(/\?[\s"'”)!.]*$/u.test(own)),
    Math.min(3, own.split('?').length - 1) / 3,
    yes(own.includes('!')),
    Math.min(3, own.split('!').length - 1) / 3,
    yes(/\.\.|…/u.test(own)),
    yes(/\p{Extended_Pictographic}/u.test(own)),
    yes(/["“”]/u.test(own)),
    ...shape(own),
    Math.min(1, Math.log1p(words.length) / Math.log(60)),
    yes(words.length <= 3),
    yes(words.length === 0),
    Math.min(3, said.numbers.size) / 3,
    yes(said.quotes),
    yes(/[.]\s*$/u.test(own)),
  ]
}

/** Share of words in capitals, share of words that begin with one. */
function shape(own: string): [capitals: number, titleCase: number] {
  const words = own.split(' ').filter((word) => /\p{L}{2}/u.test(word))
  return [
    part(words.filter((word) => word.length > 2 && word === word.toUpperCase()).length, words.length),
    part(words.filter((word) => /^\P{L}*\p{Lu}/u.test(word)).length, words.length),
  ]
}

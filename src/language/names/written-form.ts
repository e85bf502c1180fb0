import { remembered } from '../memoize.ts'
import { isAcronym, lettersOf } from './acronyms.ts'
import { splitTitles, trimmedName, withoutPossessive } from './mentions.ts'
import { nameKey } from './name-key.ts'

/** A name as it is compared: titles, possessives and signs gone, tags taken apart. */
interface WrittenForm {
  readonly words: readonly string[]
  /** Without blanks: "#NotreDame" and "Notre-Dame" are one. */
  readonly solid: string
  readonly acronym: boolean
  /** Of two words and more: what its first letters may make. */
  readonly letters: readonly string[]
  /** The name itself, as `nameKey` takes it. */
  readonly plain: string
}

export const written = remembered((name): WrittenForm => {
  const bare = withoutPossessive(trimmedName(name.replace(/^[#@]+/u, '')))
  const { name: plain } = splitTitles(apart(bare))
  const key = nameKey(plain)
  const words = key.split(' ').filter(Boolean)
  const acronym = isAcronym(plain)
  const spelled = { name: plain, key, words, acronym, known: undefined }
  const letters = words.length < 2 ? [] : lettersOf(spelled).map((each) => each.toLowerCase())
  return { words, solid: words.join(''), acronym, letters, plain }
})

/** Where a tag without blanks has its next word: "SpikeLee", "CBCNews", "Vote2016". */
const SEAM = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})|(?<=\p{Ll})(?=\p{N})/u
/** Beginnings of surnames: "McDonald", "DeBlasio" are one word. */
const BEGINNING = /^(?:Mc|Mac|De|Di|Du|Da|La|Le|Al|El|Van|Von|Fitz|St)$/u

function apart(name: string): string {
  if (name.includes(' ')) return name
  const parts = name.split(SEAM)
  const isOne =
    BEGINNING.test(parts[0] ?? '') || parts.some((part, i) => part.length < 2 && (i > 0 || !CAPITAL.test(part)))
  return isOne ? name : parts.join(' ')
}

const CAPITAL = /^\p{Lu}$/u

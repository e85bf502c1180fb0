import { wordList } from '../model-files.ts'
import { wordTokens } from '../word-tokens.ts'

/** A text taken apart: what its author says, and what is only passed on. */
export interface SaidWords {
  /** Without quotations, links and the names of those it is addressed to. */
  readonly own: string
  /** Lower-case words of `own`, apostrophes straight. */
  readonly words: readonly string[]
  /** Words of the whole text that carry meaning, those of hashtags too. */
  readonly content: ReadonlySet<string>
  /** Those of `content` that are numbers. */
  readonly numbers: ReadonlySet<string>
  /** Somebody else's words are passed on: a quotation, a repost, quoted lines. */
  readonly quotes: boolean
}

/** Nobody disputes anything after this many characters, and a paste of a book costs as little as a post. */
const READ = 2_000

const LINK = /\bhttps?:\/\/\S+|\bwww\.\S+/gu
const MENTION = /(?<![\p{L}\p{N}])@[\w.-]*\w|(?<![\p{L}\p{N}])\/?u\/[\w-]+/gu
const HASHTAG = /(?<![\p{L}\p{N}])#(?=[\p{L}\p{N}])/gu
/** "“@name: ...”", "RT @name ...", and lines that begin with ">". */
const QUOTED = /["“]\s?@\w+:?[^"”]*["”]?|\b(?:RT|MT)\s*:?\s*@\w+:?.*|^\s*>.*$/gmu

/** Words that most texts have in common. */
const COMMON = wordList('stance/common-words')

export function saidWords(text: string): SaidWords {
  const read = text.slice(0, READ).replaceAll('’', "'")
  const bare = read.replace(LINK, ' ').replace(MENTION, ' ').replace(HASHTAG, ' ')
  const unquoted = read.replace(QUOTED, ' ')
  const own = unquoted.replace(LINK, ' ').replace(MENTION, ' ').replace(HASHTAG, ' ').replace(/\s+/gu, ' ').trim()
  const content = new Set(wordTokens(bare.toLowerCase()).filter((word) => !COMMON.has(word)))
  return {
    own,
    words: wordTokens(own.toLowerCase()),
    content,
    numbers: new Set([...content].filter((word) => /^\p{N}+$/u.test(word))),
    quotes: unquoted.length < read.length,
  }
}

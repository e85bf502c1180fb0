import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { once, remembered, rememberedOf } from '../memoize.ts'

/** What the lexicon says of a word: its usual tag, and whether it may be a noun or a verb as well. */
interface WordClass {
  readonly tag: Tag
  readonly noun: boolean
  readonly verb: boolean
}

export type TagLexicon = ReadonlyMap<string, WordClass>

/** Words with the tags of the Penn Treebank, the usual one first, as `natural` ships them. */
type PennLexicon = Readonly<Record<string, readonly string[]>>

/** Penn Treebank to Universal Dependencies. */
const UNIVERSAL = [
  [/^NNP/, 'PROPN'],
  [/^NN/, 'NOUN'],
  [/^VB/, 'VERB'],
  [/^JJ/, 'ADJ'],
  [/^(?:RB|WRB)/, 'ADV'],
  [/^CD/, 'NUM'],
  [/^MD/, 'AUX'],
  [/^(?:IN|RP)/, 'ADP'],
  [/^(?:DT|PDT|WDT)/, 'DET'],
  [/^(?:PRP|WP|EX)/, 'PRON'],
  [/^CC/, 'CCONJ'],
  [/^(?:TO|POS)/, 'PART'],
  [/^UH/, 'INTJ'],
  [/^(?:SYM|\$|#)/, 'SYM'],
  [/^[^\p{L}\p{N}]/u, 'PUNCT'],
] as const

/** Tags of Universal Dependencies (universaldependencies.org/u/pos) that a word can have here. */
export type Tag = (typeof UNIVERSAL)[number][1] | 'X'

const universal = (penn: string): Tag => UNIVERSAL.find(([tag]) => tag.test(penn))?.[1] ?? 'X'

function parseTagLexicon(penn: PennLexicon): TagLexicon {
  const classOf = remembered((penn): WordClass => {
    const tags = penn.split(' ').map(universal)
    return { tag: tags[0] ?? 'X', noun: tags.includes('NOUN'), verb: tags.includes('VERB') }
  }) // the 90,000 words share a few dozen classes
  return new Map(Object.entries(penn).map(([word, tags]) => [word, classOf(tags.join(' '))]))
}

/**
 * Tags of an English sentence's words: the lexicon's usual tag, or one by the word's ending, corrected by the previous
 * word (Brill, A simple rule-based part of speech tagger, ANLC 1992). In a headline, capitals are ignored.
 */
export function partsOfSpeech(
  lexicon: TagLexicon,
  words: readonly string[],
  written: 'sentence' | 'headline',
): readonly Tag[] {
  const tags: Tag[] = []
  const { first, inside } = classesBy(lexicon)
  words.forEach((word, i) => {
    const known = written === 'headline' || i === 0 ? first(word) : inside(word)
    tags.push(inContext(known, words[i - 1], tags[i - 1]))
  })
  return tags
}

const CAPITAL = /^\p{Lu}/u
const NAME: WordClass = { tag: 'PROPN', noun: false, verb: false }

/** `first`: for a word that may be capitalised without being a name; `inside`: for any other word. */
const classesBy = rememberedOf((lexicon: TagLexicon) => {
  const inside = (word: string): WordClass => lexicon.get(word) ?? (CAPITAL.test(word) ? NAME : unknown(lexicon, word))
  const first = (word: string): WordClass =>
    (CAPITAL.test(word) ? lexicon.get(word.toLowerCase()) : undefined) ?? inside(word)
  return { first: remembered(first), inside: remembered(inside) }
})

const NOUN: WordClass = { tag: 'NOUN', noun: true, verb: false }
const ADJECTIVE: WordClass = { tag: 'ADJ', noun: false, verb: false }

const ENDINGS: readonly (readonly [RegExp, WordClass])[] = [
  [/^\p{N}/u, { tag: 'NUM', noun: false, verb: false }],
  [/ly$/, { tag: 'ADV', noun: false, verb: false }],
  [/(?:ed|ing|i[sz]e|ify)$/, { tag: 'VERB', noun: false, verb: true }],
  [/(?:al|ous|ive|ic|able|ible|ful|less|ish|ian)$/, ADJECTIVE],
]

/** Class by the last part of a compound, otherwise by the ending: `state-owned` is an adjective, `hack-fest` a noun. */
function unknown(lexicon: TagLexicon, word: string): WordClass {
  const hyphen = word.lastIndexOf('-')
  const known = hyphen > 0 ? lexicon.get(word.slice(hyphen + 1)) : undefined
  if (known !== undefined) return known.noun ? NOUN : ADJECTIVE
  return ENDINGS.find(([ending]) => ending.test(word))?.[1] ?? NOUN
}

const POSSESSIVE = new Set(['my', 'your', 'his', 'its', 'our', 'their'])

/** Corrects a tag: no verb after an article or possessive; after `to` or `would`, a word that can be a verb is one. */
function inContext({ tag, noun, verb }: WordClass, before: string | undefined, tagBefore: Tag | undefined): Tag {
  if (before === undefined) return tag
  if (tag === 'VERB' && noun && beginsNoun(before, tagBefore)) return 'NOUN'
  return tag === 'NOUN' && verb && beginsVerb(before, tagBefore) ? 'VERB' : tag
}

const beginsNoun = (word: string, tag: Tag | undefined): boolean =>
  tag === 'DET' || tag === 'ADJ' || POSSESSIVE.has(word)

const beginsVerb = (word: string, tag: Tag | undefined): boolean => tag === 'AUX' || word === 'to'

const LEXICON = 'natural/lib/natural/brill_pos_tagger/data/English/lexicon_from_posjs.json'

/** Loads the English words and tags of `natural`'s Brill tagger. */
export const openTagLexicon = once((): TagLexicon => {
  const path = createRequire(import.meta.url).resolve(LEXICON) // a loaded module would stay in memory
  return parseTagLexicon(JSON.parse(readFileSync(path, 'utf8')) as PennLexicon)
})

import { capitalisedRuns, namesIn, type NameAt, type NameReading } from './names.ts'
import type { TokenPart, TaggedWord } from './parts.ts'
import type { Tag } from './part-of-speech.ts'
import type { Token } from '../../events/articles.ts'

/** A word or name where it stands; offsets into its part. */
export interface TokenMention {
  readonly part: TokenPart
  readonly start: number
  readonly end: number
  readonly tag: Tag
  readonly type: Token['entity_type']
  readonly name: boolean
}

/** A different word or name with everywhere it stands, in order. */
export interface TokenCandidate {
  /** Lower case: a word's stem, a name's canonical form. */
  readonly key: string
  readonly mentions: readonly TokenMention[]
}

/** The words that may become tokens, each once: names first, then the words that are in none. */
export function candidates(
  parts: readonly TokenPart[],
  stem: (word: string) => string,
  reading: NameReading,
): readonly TokenCandidate[] {
  const names = namesIn(parts, reading)
  const found = new Map<string, TokenMention[]>()
  const add = (key: string, mention: TokenMention): void => {
    const mentions = found.get(key)
    if (mentions === undefined) found.set(key, [mention])
    else mentions.push(mention)
  }
  const ofName = keysOfNames(names)
  for (const part of parts) {
    const own = names.filter((name) => name.part === part)
    const all = [...own, ...capitalisedRuns(part, own)]
    for (const name of all) add(`name ${name.key}`, asMention(name))
    for (const word of part.words) {
      if (!word.content || all.some(({ start, end }) => word.start < end && start < word.end)) continue
      const lower = word.text.toLowerCase()
      const name = lower === word.text ? undefined : ofName.get(lower)
      add(name === undefined ? `word ${stem(lower)}` : `name ${name}`, wordMention(part, word))
    }
  }
  return [...found].map(([key, mentions]) => ({ key: key.slice('name '.length), mentions }))
}

const asMention = ({ part, start, end, type }: NameAt): TokenMention => ({
  part,
  start,
  end,
  type,
  tag: 'PROPN',
  name: true,
})

const wordMention = (part: TokenPart, { start, end, tag }: TaggedWord): TokenMention => ({
  part,
  start,
  end,
  tag,
  type: 'O',
  name: false,
})

/** Which name a capitalised word belongs to where the recogniser has seen none: one that is called so elsewhere. */
function keysOfNames(names: readonly NameAt[]): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  for (const { part, start, end, key } of names) keys.set(part.text.slice(start, end).toLowerCase(), key)
  return keys
}

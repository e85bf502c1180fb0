import type { Token } from '../../events/articles.ts'
import { addTo } from '../grouped-by.ts'
import { fixedType } from '../names/aliases.ts'
import { canonicalNames } from '../names/canonical-names.ts'
import type { EntitySpan } from '../recogniser/named-spans.ts'
import { quickNames, type QuickFiles } from '../recogniser/quick-tagger.ts'
import type { Tag } from './part-of-speech.ts'
import type { TokenPart, TaggedWord } from './parts.ts'

/** A mention of a name. */
interface NameAt extends Omit<TokenMention, 'tag' | 'name'> {
  /** The same for all forms of one name in an article; lower case. */
  readonly key: string
}

/** Names of people, organisations, places and events from the quick tagger; Layer 1 finds them more accurately. */
function namesIn(parts: readonly TokenPart[], quick: QuickFiles): readonly NameAt[] {
  const whole = parts.map(({ text }) => text).join('\n')
  const spans = parts.map(({ at, text }) => ({ start: at, end: at + text.length }))
  const found = quickNames(quick, whole, spans)
  const mentions = found.map((span) => withSurface(whole, span))
  const canonical = canonicalNames(mentions, quick.places)
  let next = 0
  return mentions.map(({ type, start, end, surface }, i) => {
    while (start >= (spans[next]?.end ?? Infinity)) next++
    const part = parts[next]
    if (part === undefined) throw new Error('A name was found outside of every sentence')
    const key = (canonical[i]?.name ?? surface).toLowerCase()
    return { part, start: start - part.at, end: end - part.at, type: type === 'EVENT' ? 'O' : tokenType(type), key }
  })
}

const tokenType = (type: EntitySpan['type']): Token['entity_type'] =>
  type === 'PERSON' || type === 'ORG' || type === 'GPE' || type === 'LOC' ? type : 'O'

const ARTICLE = /^the\s+(?=\S)/iu

function withSurface(whole: string, { type, start, end }: EntitySpan): EntitySpan & { readonly surface: string } {
  const given = whole.slice(start, end)
  const surface = given.replace(ARTICLE, '')
  return { type: fixedType(surface) ?? type, start: end - surface.length, end, surface }
}

/** Runs of capitalised words that the recogniser did not find: `Affordable Care Act`. Not in headlines. */
function capitalisedRuns(part: TokenPart, taken: readonly NameAt[]): readonly NameAt[] {
  if (part.written === 'headline') return []
  const runs: TaggedWord[][] = []
  let last: TaggedWord | undefined
  for (const word of part.words) {
    if (!isCapital(word) || taken.some(({ start, end }) => word.start < end && start < word.end)) continue
    if (last !== undefined && BLANK.test(part.text.slice(last.end, word.start))) runs.at(-1)?.push(word)
    else runs.push([word])
    last = word
  }
  return runs.filter((run) => run.length > 1 && run.length <= LONGEST_RUN).map((run) => asName(part, run))
}

const BLANK = /^\s+$/u
const LONGEST_RUN = 4

const isCapital = ({ text, content }: TaggedWord): boolean => content && /^\p{Lu}/u.test(text)

function asName(part: TokenPart, run: readonly TaggedWord[]): NameAt {
  const [start, end] = [run[0]?.start ?? 0, run.at(-1)?.end ?? 0]
  return { part, start, end, type: 'O', key: part.text.slice(start, end).toLowerCase().replace(/\s+/gu, ' ') }
}

/** A mention of a word or name; offsets into its part. */
export interface TokenMention {
  readonly part: TokenPart
  readonly start: number
  readonly end: number
  readonly tag: Tag
  readonly type: Token['entity_type']
  readonly name: boolean
}

/** A distinct word or name with its mentions, in order. */
export interface TokenCandidate {
  /** Lower case: a word's stem, a name's canonical form. */
  readonly key: string
  readonly mentions: readonly TokenMention[]
}

/** The words and names that may become tokens, each once. */
export function candidates(
  parts: readonly TokenPart[],
  stem: (word: string) => string,
  quick: QuickFiles,
): readonly TokenCandidate[] {
  const names = namesIn(parts, quick)
  const found = new Map<string, TokenMention[]>()
  const ofName = keysOfNames(names)
  for (const part of parts) {
    const own = names.filter((name) => name.part === part)
    const all = [...own, ...capitalisedRuns(part, own)]
    for (const { key, start, end, type } of all)
      addTo(found, `name ${key}`, { part, start, end, type, tag: 'PROPN', name: true })
    for (const word of part.words) {
      if (!word.content || all.some(({ start, end }) => word.start < end && start < word.end)) continue
      const lower = word.text.toLowerCase()
      const name = lower === word.text ? undefined : ofName.get(lower)
      const { start, end, tag } = word
      const key = name === undefined ? `word ${stem(lower)}` : `name ${name}`
      addTo(found, key, { part, start, end, tag, type: 'O', name: false })
    }
  }
  return [...found].map(([key, mentions]) => ({ key: key.slice('name '.length), mentions }))
}

/** Keys of names by surface in lower case, for capitalised words that were found as names only elsewhere. */
function keysOfNames(names: readonly NameAt[]): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  for (const { part, start, end, key } of names) keys.set(part.text.slice(start, end).toLowerCase(), key)
  return keys
}

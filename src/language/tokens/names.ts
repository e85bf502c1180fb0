import type { Token } from '../../events/articles.ts'
import { fixedType } from '../names/aliases.ts'
import { canonicalNames } from '../names/canonical-names.ts'
import type { EntitySpan } from '../recogniser/named-spans.ts'
import { quickNames, type QuickFiles } from '../recogniser/quick-tagger.ts'
import type { TokenPart, TaggedWord } from './parts.ts'

/** A name where it stands; offsets into its part. */
export interface NameAt {
  readonly part: TokenPart
  readonly start: number
  readonly end: number
  readonly type: Token['entity_type']
  /** The same for all forms of one name in an article; lower case. */
  readonly key: string
}

export interface NameReading {
  readonly quick: QuickFiles
}

/** Names of people, organisations, places and events, found at once: Layer 1 reads them again, and better. */
export function namesIn(parts: readonly TokenPart[], { quick }: NameReading): readonly NameAt[] {
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

/** Words written as a name that the recogniser did not take for one: `Affordable Care Act`. In sentences only. */
export function capitalisedRuns(part: TokenPart, taken: readonly NameAt[]): readonly NameAt[] {
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

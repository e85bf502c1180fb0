import type { KnownWords } from '../named-events/event-table.ts'
import type { NameType, WordSpan } from './tags.ts'
import { caseClass, isCapitalised } from './shapes.ts'

export interface NamedSentence {
  readonly words: readonly string[]
  readonly spans: readonly WordSpan[]
}

const LONGEST_NAME = 6

const surfaceOf = (words: readonly string[], { start, end }: WordSpan): string => words.slice(start, end).join(' ')

/**
 * Corrects what a tagger that sees one sentence at a time cannot know. Within an article, a surface has one type (the
 * one most of its mentions got); a surname belongs to the person named in full, unless it is known as a place; and a
 * name found once is a name everywhere, unless it is a single word that is often in lower case.
 */
export function consistent(
  sentences: readonly NamedSentence[],
  rules: Pick<KnownWords, 'isPlace' | 'isCommon'>,
): WordSpan[][] {
  const types = majorityTypes(sentences)
  for (const surname of surnames(types)) {
    if (types.get(surname) !== 'LOC' || !rules.isPlace(surname)) types.set(surname, 'PER')
  }
  const applied = new Map([...types].filter(([surface]) => surface.includes(' ') || !rules.isCommon(surface)))
  const firstWords = new Set([...applied.keys()].map((surface) => surface.split(' ', 1)[0] ?? ''))
  return sentences.map(({ words, spans }) => {
    const kept = spans.map((span) => ({ ...span, type: types.get(surfaceOf(words, span)) ?? span.type }))
    return [...kept, ...furtherMentions(words, kept, { types: applied, firstWords })].sort((a, b) => a.start - b.start)
  })
}

/** Each surface with the type that most of its mentions got; the first one on a tie. */
function majorityTypes(sentences: readonly NamedSentence[]): Map<string, NameType> {
  const votes = new Map<string, Map<NameType, number>>()
  for (const { words, spans } of sentences) {
    for (const span of spans) {
      const surface = surfaceOf(words, span)
      const counts = votes.get(surface) ?? new Map<NameType, number>()
      votes.set(surface, counts.set(span.type, (counts.get(span.type) ?? 0) + 1))
    }
  }
  return new Map([...votes].map(([surface, counts]) => [surface, mostOf(counts)]))
}

function mostOf(counts: ReadonlyMap<NameType, number>): NameType {
  let [best, most]: [NameType, number] = ['PER', 0]
  for (const [type, n] of counts) if (n > most) [best, most] = [type, n]
  return best
}

/** Last words of persons named with two words or more. */
function surnames(types: ReadonlyMap<string, NameType>): Set<string> {
  const found = new Set<string>()
  for (const [surface, type] of types) {
    const last = surface.slice(surface.lastIndexOf(' ') + 1)
    if (type === 'PER' && last !== surface && last.length > 2 && isCapitalised(caseClass(last))) found.add(last)
  }
  return found
}

/** Mentions of known names that the tagger missed. `types`: types by name; `firstWords`: first words of these names. */
function furtherMentions(
  words: readonly string[],
  spans: readonly WordSpan[],
  { types, firstWords }: { readonly types: ReadonlyMap<string, NameType>; readonly firstWords: ReadonlySet<string> },
): readonly WordSpan[] {
  const taken = new Uint8Array(words.length)
  for (const { start, end } of spans) taken.fill(1, start, end)
  const found: WordSpan[] = []
  let i = 0
  while (i < words.length) {
    const span = firstWords.has(words[i] ?? '') ? longestAt(words, i, { taken, types }) : null
    if (span !== null) found.push(span)
    i = span?.end ?? i + 1
  }
  return found
}

function longestAt(
  words: readonly string[],
  start: number,
  { taken, types }: { readonly taken: Uint8Array; readonly types: ReadonlyMap<string, NameType> },
): WordSpan | null {
  if (taken[start] === 1 || !isCapitalised(caseClass(words[start] ?? ''))) return null
  let found: WordSpan | null = null
  for (let end = start + 1; end <= start + LONGEST_NAME && taken[end - 1] === 0; end++) {
    const surface = words.slice(start, end).join(' ')
    const type = types.get(surface)
    if (type !== undefined && !isInLongerName(words, start, end)) found = { type, start, end }
  }
  return found
}

/** Whether a single word is next to another capitalised one, and so part of a longer name: "Trump" in "Trump Tower". */
const isInLongerName = (words: readonly string[], start: number, end: number): boolean =>
  end === start + 1 &&
  (isCapitalised(caseClass(words[end] ?? '')) || (start > 0 && isCapitalised(caseClass(words[start - 1] ?? ''))))

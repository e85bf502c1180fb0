import type { Token } from '../../events/articles.ts'
import type { Term } from '../../ports/encoder.ts'
import { candidates, type TokenCandidate, type TokenMention } from './candidates.ts'
import { weight } from './importance.ts'
import { mood } from './mood.ts'
import type { NameReading } from './names.ts'
import { partsOf, type TextBeginning } from './parts.ts'
import type { TagLexicon } from './part-of-speech.ts'
import type { TokenVocabulary } from './vocabulary.ts'

/** An article has no more. */
export const MOST_TOKENS = 24

/** What tokens are chosen with. */
export interface TokenReading extends NameReading {
  readonly lexicon: TagLexicon
  readonly vocabulary: TokenVocabulary
}

/** A token and where it stands. */
export interface PlacedToken {
  readonly token: Token
  readonly term: Term
}

/**
 * The content words and names that the beginning of an article is about, each once, the most important first; of equals
 * the one that stands first. Pure, and linear in the length of what it is given.
 */
export function tokensOf(beginning: TextBeginning, reading: TokenReading): readonly PlacedToken[] {
  const { language } = beginning
  const parts = partsOf(beginning, reading.lexicon)
  const ranked = candidates(parts, language === 'en' ? reading.vocabulary.stem : asItIs, reading).map((candidate) => ({
    candidate,
    weight: weight(candidate, language, reading.vocabulary),
  }))
  ranked.sort((a, b) => b.weight - a.weight || inOrder(a.candidate, b.candidate))
  const best = differing(ranked)
  const moods = new Map(best.map(({ shown: { part } }) => [part, 0]))
  for (const part of moods.keys()) moods.set(part, mood(part.words, language))
  const most = best[0]?.weight ?? 1
  return best.map(({ candidate, weight: own, shown }) => ({
    token: {
      text: textOf(shown),
      pos_tag: shown.tag,
      entity_type: typeOf(candidate),
      importance: share(own, most),
      context_sentiment: moods.get(shown.part) ?? 0,
    },
    term: { sentence: shown.part.sentence, start: shown.start, end: shown.end },
  }))
}

/** Those of a list whose vectors there are: the most important one left has importance 1 again. */
export function withMost(tokens: readonly Token[]): readonly Token[] {
  const most = tokens[0]?.importance ?? 1
  return most === 1 ? tokens : tokens.map((token) => ({ ...token, importance: share(token.importance, most) }))
}

/** Four digits, and never nothing. */
const share = (part: number, whole: number): number => Math.max(1, Math.round((part / whole) * 1e4)) / 1e4

const asItIs = (word: string): string => word

const textOf = ({ part, start, end }: TokenMention): string => part.text.slice(start, end).replace(/\s+/gu, ' ')

function inOrder({ mentions: [a] }: TokenCandidate, { mentions: [b] }: TokenCandidate): number {
  if (a === undefined || b === undefined) return 0
  return a.part.sentence - b.part.sentence || a.start - b.start
}

/** The fullest form of a name, of a word its first. */
function shownOf({ mentions }: TokenCandidate): TokenMention {
  return mentions.reduce((best, mention) => (mention.name && fullness(mention) > fullness(best) ? mention : best))
}

const fullness = (mention: TokenMention): number => (mention.name ? textOf(mention).split(' ').length : 0)

/** The type of the first mention that has one: a word in the title may be known as a name from the body. */
const typeOf = ({ mentions }: TokenCandidate): Token['entity_type'] =>
  mentions.find(({ type }) => type !== 'O')?.type ?? 'O'

interface RankedToken {
  readonly candidate: TokenCandidate
  readonly weight: number
}

/** The best ones with the form each is shown in; one of those that read the same but for case. */
function differing(ranked: readonly RankedToken[]): readonly (RankedToken & { readonly shown: TokenMention })[] {
  const found = new Map<string, RankedToken & { readonly shown: TokenMention }>()
  for (const { candidate, weight } of ranked) {
    const shown = shownOf(candidate)
    const text = textOf(shown).normalize('NFKC').toLowerCase()
    if (!found.has(text)) found.set(text, { candidate, weight, shown })
    if (found.size === MOST_TOKENS) break
  }
  return [...found.values()]
}

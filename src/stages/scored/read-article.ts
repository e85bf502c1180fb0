import type { Token } from '../../events/articles.ts'
import { bodyOf } from '../../language/body-text.ts'
import { languageOf } from '../../language/language-of.ts'
import { sentences, type Span, firstSentences } from '../../language/sentences.ts'
import { tokensOf, withMost, type PlacedToken, type TokenReading } from '../../language/tokens/tokens.ts'
import type { CleanArticle } from './clean-article.ts'

/** More characters than the encoder's windows hold. */
const PASSAGE_CHARS = 1_700
/** Some 95 words, what the window holds behind a title: a term outside has no vector, and finding names costs most. */
const TOKEN_CHARS = 460

/** An article as it is read before the encoder has seen it. */
export interface ReadArticle {
  readonly article: CleanArticle
  /** Without a leading copy of the title; a text that is only its headline is judged as it is. */
  readonly body: string
  readonly language: string
  /** The body's sentences. */
  readonly spans: readonly Span[]
  readonly tokens: readonly PlacedToken[]
  /** What the encoder is asked: `Passage` of the port. */
  readonly passage: {
    readonly title: string
    readonly sentences: readonly string[]
    readonly terms: readonly PlacedToken['term'][]
  }
}

export function readArticle(article: CleanArticle, reading: TokenReading): ReadArticle {
  const { text } = article
  const title = article.title ?? ''
  const own = bodyOf(title, text)
  const body = own || text
  const language = languageOf(body)
  const spans = sentences(body)
  const read = own === '' ? [] : spans // else the headline would be read twice
  const tokens = tokensOf({ title, sentences: firstSentences(body, read, TOKEN_CHARS), language }, reading)
  const passage = { title, sentences: firstSentences(body, read, PASSAGE_CHARS), terms: tokens.map(({ term }) => term) }
  return { article, body, language, spans, tokens, passage }
}

/** The tokens that stand within the encoder's windows, with a vector each. */
export function tokensWithVectors(
  tokens: readonly PlacedToken[],
  vectors: readonly (Float32Array | null)[],
): { readonly tokens: readonly Token[]; readonly vectors: readonly Float32Array[] } {
  const kept = tokens.flatMap(({ token }, i) => {
    const vector = vectors[i] ?? null
    return vector === null ? [] : [{ token, vector }]
  })
  return { tokens: withMost(kept.map(({ token }) => token)), vectors: kept.map(({ vector }) => vector) }
}

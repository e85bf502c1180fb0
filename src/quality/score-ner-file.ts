import { type NameLists, namedWords } from '../language/recogniser/named-spans.ts'
import { NAME_TYPES, type NameType, TAGS, tagsOfSpans, type WordSpan } from '../language/recogniser/tags.ts'
import { words } from '../language/recogniser/words.ts'
import type { Tagger } from '../ports/tagger.ts'
import { labelled, parseBio } from './bio-file.ts'
import { textOf } from './labelled-file.ts'
import { SCORED_TYPES, spanScore, type SpanScore } from './ner-score.ts'

/** A file says not where an article ends, so neighbours are read as one of about this length. */
const ARTICLE_WORDS = 600

interface SplitTokens {
  /** The file's tokens, split as the service splits words. */
  readonly words: readonly string[]
  /** Index of the token that each word is of. */
  readonly owners: readonly number[]
}

function splitTokens(tokens: readonly string[]): SplitTokens {
  const split = tokens.map((token) => words(token, 0, token.length).texts)
  return { words: split.flat(), owners: split.flatMap((texts, i) => texts.map(() => i)) }
}

/** Consecutive sentences, as many as an article has words. */
function articles<Sentence extends SplitTokens>(sentences: readonly Sentence[]): Sentence[][] {
  const cut: Sentence[][] = []
  let length = Infinity
  for (const sentence of sentences) {
    length += sentence.words.length
    if (length > ARTICLE_WORDS) {
      cut.push([])
      length = sentence.words.length
    }
    cut.at(-1)?.push(sentence)
  }
  return cut
}

/** Labels for a file's own tokens, read as the service reads an article. */
export async function labelSentences(
  { tagger, lists }: NerParts,
  sentences: readonly (readonly string[])[],
): Promise<string[][]> {
  const answers: string[][] = []
  for (const article of articles(sentences.map((tokens) => ({ ...splitTokens(tokens), length: tokens.length })))) {
    const tags = await tagger.tags(article.map((sentence) => sentence.words))
    const named = namedWords(
      article.map((sentence, i) => ({ words: sentence.words, tags: tags[i] ?? [] })),
      lists,
    )
    article.forEach(({ owners, length }, i) => answers.push(tokenLabels(named[i] ?? [], owners, length)))
  }
  return answers
}

/** A name that begins or ends within a token has all of it, unless an earlier one has. */
function tokenLabels(named: readonly WordSpan[], owners: readonly number[], length: number): string[] {
  let free = 0
  const spans = named.flatMap(({ type, start, end }) => {
    const from = Math.max(free, owners[start] ?? 0)
    free = Math.max(free, (owners[end - 1] ?? 0) + 1)
    return from < free ? [{ type, start: from, end: free }] : []
  })
  return tagsOfSpans(spans, length).map((tag) => TAGS[tag] ?? 'O')
}

export interface NerParts {
  readonly tagger: Tagger
  readonly lists: NameLists
}

export interface NerMeasure {
  readonly measure: 'span_f1'
  readonly value: number
  /** Gold names counted; null: the file has no labels, only tokens. */
  readonly n: number | null
  readonly score: SpanScore
  /** Of each type that people labelled. */
  readonly types: readonly (readonly [NameType, SpanScore])[]
  /** `token<TAB>label` lines in the file's own form. */
  readonly predictions: string
}

/** Exact-span F1 over PER, ORG and LOC on a (gzipped) BIO file's own tokens. */
export async function scoreNerFile(parts: NerParts, file: Buffer): Promise<NerMeasure> {
  const text = textOf(file)
  const sentences = parseBio(text)
  const answers = await labelSentences(
    parts,
    sentences.map(({ tokens }) => tokens),
  )
  const gold = sentences.map(({ labels }) => labels)
  const score = spanScore(gold, answers, SCORED_TYPES)
  const types = NAME_TYPES.map((type) => [type, spanScore(gold, answers, new Set([type]))] as const)
  return {
    measure: 'span_f1',
    value: score.f1,
    n: gold.some(({ length }) => length > 0) ? score.gold : null,
    score,
    types: types.filter(([, { gold: names }]) => names > 0),
    predictions: labelled(text, answers),
  }
}

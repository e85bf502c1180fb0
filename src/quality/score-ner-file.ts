import { gunzipSync } from 'node:zlib'
import { namesOf, type TaggerFiles } from '../language/recogniser/token-names.ts'
import { TAGS, tagsOfSpans } from '../language/recogniser/tags.ts'
import { words } from '../language/recogniser/words.ts'
import { type Labels, spanScore, type SpanScore } from './ner-score.ts'

export interface TokenSentence {
  readonly tokens: readonly string[]
  readonly labels: Labels
}

/** Reads `token<TAB>label` lines, a blank line between sentences. */
export function parseBio(text: string): TokenSentence[] {
  return text
    .split(/\n\s*\n/)
    .map((block) => block.split('\n').filter((line) => line.trim() !== ''))
    .filter((lines) => lines.length > 0)
    .map((lines) => {
      const cells = lines.map((line) => line.split('\t'))
      return { tokens: cells.map(([token = '']) => token), labels: cells.map(([, label = 'O']) => label.trim()) }
    })
}

/** Labels for the file's own tokens: these are split as the service splits words, and answered for as a whole again. */
export function labelTokens(files: TaggerFiles, tokens: readonly string[]): string[] {
  const texts: string[] = []
  const owner: number[] = []
  tokens.forEach((token, i) => {
    for (const word of words(token, 0, token.length).texts) {
      texts.push(word)
      owner.push(i)
    }
  })
  let free = 0
  const spans = namesOf(files, texts).flatMap(({ type, start, end }) => {
    const from = Math.max(free, owner[start] ?? 0)
    free = (owner[end - 1] ?? 0) + 1
    return from < free ? [{ type, start: from, end: free }] : []
  })
  return tagsOfSpans(spans, tokens.length).map((tag) => TAGS[tag] ?? 'O')
}

export interface NerMeasure {
  readonly measure: 'span_f1'
  readonly value: number
  /** Gold names counted. */
  readonly n: number
  readonly score: SpanScore
  /** `token<TAB>label` lines in the file's own form. */
  readonly predictions: string
}

/** Exact-span F1 over PER, ORG and LOC on a gzipped BIO file's own tokens. */
export function scoreNerFile(files: TaggerFiles, file: Buffer): NerMeasure {
  const text = file[0] === 0x1f ? gunzipSync(file).toString('utf8') : file.toString('utf8')
  const sentences = parseBio(text)
  const answers = sentences.map(({ tokens }) => labelTokens(files, tokens))
  const score = spanScore(
    sentences.map(({ labels }) => labels),
    answers,
  )
  const predictions = sentences
    .map(({ tokens }, i) => tokens.map((token, j) => `${token}\t${answers[i]?.[j] ?? 'O'}\n`).join(''))
    .join('\n')
  return { measure: 'span_f1', value: score.f1, n: score.gold, score, predictions }
}

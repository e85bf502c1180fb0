import { type NameLists, namedWords } from '../language/recogniser/named-spans.ts'
import { NAME_TYPES, TAGS, tagsOfSpans, type WordSpan } from '../language/recogniser/tags.ts'
import { sentenceAt, words } from '../language/recogniser/words.ts'
import { writtenTokens } from '../language/recogniser/written-tokens.ts'
import type { Tagger } from '../ports/reader.ts'
import { measure, type ScoreMeasure } from '../domain/quality/b-cubed.ts'
import { BadLine, linesOf, textOf } from './labelled-file.ts'

/** The file does not mark where articles end, so consecutive sentences are read as articles of about this length. */
const ARTICLE_WORDS = 600

/** The tokens of a sentence as a text in words. `owners`: for each word, the index of its token. */
function splitTokens(tokens: readonly string[]) {
  const { text, spans } = writtenTokens(tokens)
  const owners = spans.flatMap(({ start, end }, i) => words(text, start, end).texts.map(() => i))
  return { sentence: sentenceAt(text, 0, text.length), owners, length: tokens.length }
}

type SplitSentence = ReturnType<typeof splitTokens>

/** Groups consecutive sentences into articles of about `ARTICLE_WORDS` words. */
function articles(sentences: readonly SplitSentence[]): SplitSentence[][] {
  const cut: SplitSentence[][] = []
  let length = Infinity
  for (const sentence of sentences) {
    length += sentence.owners.length
    if (length > ARTICLE_WORDS) {
      cut.push([])
      length = sentence.owners.length
    }
    cut.at(-1)?.push(sentence)
  }
  return cut
}

/** Labels the tokens of a file, reading them as the service reads an article. */
export async function labelSentences(
  { tagger, lists }: NerParts,
  sentences: readonly (readonly string[])[],
): Promise<string[][]> {
  const answers: string[][] = []
  for (const article of articles(sentences.map(splitTokens))) {
    const tags = await tagger.tags(article.map(({ sentence }) => sentence))
    const named = namedWords(
      article.map(({ sentence }, i) => ({ words: sentence.words.texts, tags: tags[i] ?? [] })),
      lists,
    )
    article.forEach(({ owners, length }, i) => answers.push(tokenLabels(named[i] ?? [], owners, length)))
  }
  return answers
}

/** A name that begins or ends inside a token covers the whole token, unless an earlier name covers it. */
function tokenLabels(named: readonly WordSpan[], owners: readonly number[], length: number): string[] {
  let free = 0
  const spans = named.flatMap(({ type, start, end }) => {
    const from = Math.max(free, owners[start] ?? 0)
    free = Math.max(free, (owners[end - 1] ?? 0) + 1)
    return from < free ? [{ type, start: from, end: free }] : []
  })
  return tagsOfSpans(spans, length).map((tag) => TAGS[tag] ?? 'O')
}

interface NerParts {
  readonly tagger: Tagger
  readonly lists: NameLists
}

/** Exact-span F1 over PER, ORG and LOC on the tokens of a BIO file, optionally gzipped. */
export async function scoreNerFile(parts: NerParts, file: Buffer) {
  const text = textOf(file)
  const sentences = parseBio(text)
  const answers = await labelSentences(
    parts,
    sentences.map(({ tokens }) => tokens),
  )
  const gold = sentences.map(({ labels }) => labels)
  const score = spanScore(gold, answers)
  const types = NAME_TYPES.map((type) => [type, spanScore(gold, answers, new Set([type]))] as const)
  return {
    measure: 'span_f1' as const,
    value: score.f1,
    /** Gold names counted; `null` if the file has no labels, only tokens. */
    n: gold.some(({ length }) => length > 0) ? score.gold : null,
    score,
    /** Scores of each type that occurs in the gold labels. */
    types: types.filter(([, { gold: names }]) => names > 0),
    /** `token<TAB>label` lines in the format of the file. */
    predictions: labelled(text, answers),
  }
}

interface TokenSentence {
  readonly tokens: readonly string[]
  /** One label per token; empty if the file contains only tokens. */
  readonly labels: readonly string[]
}

/** Outside a name, or the beginning or inside of a name of any type. */
const LABEL = /^(?:O|[BI]-\S+)$/

/** Parses `token<TAB>label` lines, or one token per line without labels. Blank lines separate sentences. */
export function parseBio(text: string): TokenSentence[] {
  const columns = text.includes('\t') ? 2 : 1
  const sentences: { tokens: string[]; labels: string[] }[] = []
  let within = false
  for (const [i, line] of linesOf(text).entries()) {
    if (!isBlank(line)) {
      if (!within) sentences.push({ tokens: [], labels: [] })
      const [token, label] = cellsOf(line, i + 1, columns)
      sentences.at(-1)?.tokens.push(token)
      if (label !== undefined) sentences.at(-1)?.labels.push(label)
    }
    within = !isBlank(line)
  }
  return sentences
}

const isBlank = (line: string): boolean => line.trim() === ''

function cellsOf(line: string, number: number, columns: 1 | 2): readonly [string, string?] {
  const cells = line.split('\t').map((cell) => cell.trim())
  const [token = '', label = ''] = cells
  if (cells.length !== columns)
    throw new BadLine(number, `not token<TAB>label: ${cells.length} column${cells.length === 1 ? '' : 's'}`)
  if (token === '') throw new BadLine(number, 'no token before the tab')
  if (columns === 1) return [token]
  if (!LABEL.test(label)) throw new BadLine(number, `the label is not O, B-TYPE or I-TYPE: ${label}`)
  return [token, label]
}

/** A file of tokens with predicted labels, with its lines unchanged otherwise. `answers`: one list per sentence. */
export function labelled(text: string, answers: readonly (readonly string[])[]): string {
  let [sentence, token, within] = [-1, 0, false]
  const lines = linesOf(text).map((line) => {
    if (isBlank(line)) {
      within = false
      return ''
    }
    if (!within) [sentence, token, within] = [sentence + 1, 0, true]
    return `${line.split('\t')[0] ?? ''}\t${answers[sentence]?.[token++] ?? 'O'}`
  })
  return lines.at(-1) === '' ? lines.join('\n') : `${lines.join('\n')}\n`
}

interface NerScoreSpan {
  readonly type: string
  readonly start: number
  readonly end: number
}

interface SpanScore extends ScoreMeasure {
  readonly gold: number
}

/** Names as (type, start, end). An I without a preceding B begins a name, as in the CoNLL scorer. */
function spans(labels: readonly string[], types: ReadonlySet<string>): NerScoreSpan[] {
  const found: NerScoreSpan[] = []
  labels.forEach((label, i) => {
    const type = label.slice(2)
    const last = found.at(-1)
    if (label === 'O') return
    if (label.startsWith('I') && last?.end === i && last.type === type)
      found[found.length - 1] = { ...last, end: i + 1 }
    else found.push({ type, start: i, end: i + 1 })
  })
  return found.filter((span) => types.has(span.type))
}

const key = ({ type, start, end }: NerScoreSpan): string => `${type} ${start} ${end}`

/** The types that all sets label. EVENT and others are labelled only in some sets. */
const SCORED_TYPES: ReadonlySet<string> = new Set(['PER', 'ORG', 'LOC'])

/**
 * Exact spans over all sentences: precision, recall and F1, each 0 to 1, counting only `types`. `gold` and `answers`:
 * BIO labels of each sentence, one per token.
 */
export function spanScore(
  gold: readonly (readonly string[])[],
  answers: readonly (readonly string[])[],
  types: ReadonlySet<string> = SCORED_TYPES,
): SpanScore {
  let [right, expected, given] = [0, 0, 0]
  gold.forEach((labels, i) => {
    const goldSpans = new Set(spans(labels, types).map(key))
    const answerSpans = spans(answers[i] ?? [], types).map(key)
    right += answerSpans.filter((span) => goldSpans.has(span)).length
    expected += goldSpans.size
    given += answerSpans.length
  })
  return { ...measure(given === 0 ? 0 : right / given, expected === 0 ? 0 : right / expected), gold: expected }
}

import { BadLine, linesOf } from './labelled-file.ts'
import type { NerScoreLabels } from './ner-score.ts'

export interface TokenSentence {
  readonly tokens: readonly string[]
  /** One a token; none in a file of tokens alone. */
  readonly labels: NerScoreLabels
}

/** Outside, or the beginning or middle of a name of any type. */
const LABEL = /^(?:O|[BI]-\S+)$/

/** Reads `token<TAB>label` lines (or a token a line, without labels), blank lines between sentences. */
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

/** Between sentences. */
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

/** A file of tokens with labels of ours, line by line as it stands. `answers`: one list a sentence. */
export function labelled(text: string, answers: readonly NerScoreLabels[]): string {
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

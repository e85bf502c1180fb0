/** An answer or the gold of one sentence: BIO labels, one a token of the file. */
export type NerScoreLabels = readonly string[]

interface NerScoreSpan {
  readonly type: string
  readonly start: number
  readonly end: number
}

export interface SpanScore {
  readonly precision: number
  readonly recall: number
  readonly f1: number
  readonly gold: number
}

/** Names as (type, start, end); an I without its B begins one, as the CoNLL scorer reads it. */
function spans(labels: NerScoreLabels, types: ReadonlySet<string>): NerScoreSpan[] {
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

/** What the sets agree on; EVENT and others are labelled in some only. */
export const SCORED_TYPES: ReadonlySet<string> = new Set(['PER', 'ORG', 'LOC'])

/** Exact spans over all sentences: precision, recall and F1, each 0 to 1, counting only `types`. */
export function spanScore(
  gold: readonly NerScoreLabels[],
  answers: readonly NerScoreLabels[],
  types: ReadonlySet<string> = SCORED_TYPES,
): SpanScore {
  let [right, expected, given] = [0, 0, 0]
  gold.forEach((labels, i) => {
    const want = new Set(spans(labels, types).map(key))
    const have = spans(answers[i] ?? [], types).map(key)
    right += have.filter((span) => want.has(span)).length
    expected += want.size
    given += have.length
  })
  const precision = given === 0 ? 0 : right / given
  const recall = expected === 0 ? 0 : right / expected
  const f1 = right === 0 ? 0 : (2 * precision * recall) / (precision + recall)
  return { precision, recall, f1, gold: expected }
}

import { z } from 'zod'
import { sentimentLabel } from '../language/sentiment/sentiment.ts'
import { escaped } from '../language/pattern.ts'
import { readWords } from '../language/recogniser/words.ts'
import type { Span } from '../language/sentences.ts'
import type { Reader } from '../ports/reader.ts'
import { asJsonLines, jsonLines, textOf } from './labelled-file.ts'
import { inBatches } from './in-batches.ts'
import { judgedScore } from './macro-score.ts'

/** A sentence, the gold label of each target (`null` if not judged), and the report of the predicted labels. */
interface SentimentQuestion {
  readonly text: string
  readonly targets: readonly Span[]
  readonly gold: readonly (string | null)[]
  readonly report: (labels: readonly string[]) => object
}

const LABELS = ['negative', 'neutral', 'positive']

/** NewsMTSC: a sentence and one mention in it. Without `polarity` it is predicted but not scored. */
const NewsMtsc = z
  .object({
    id: z.string(),
    sentence: z.string(),
    from: z.int().min(0),
    to: z.int().min(0),
    polarity: z.int().min(-1).max(1).nullish(),
  })
  .transform(({ id, sentence, from, to, polarity }): SentimentQuestion => ({
    text: sentence,
    targets: [{ start: from, end: to }],
    gold: [typeof polarity === 'number' ? (LABELS[polarity + 1] ?? null) : null],
    report: ([label]) => ({ id, label }),
  }))

/** SEntFiN: a headline and its entities in Python notation: `{'Bank': 'positive', "Lender's": 'negative'}`. */
const Sentfin = z
  .object({ title: z.string(), decisions: z.string() })
  .transform(({ title, decisions }): SentimentQuestion => {
    const pairs = [...decisions.matchAll(/(["'])(.+?)\1: ?["'](negative|neutral|positive)["']/g)]
    const names = pairs.map(([, , name = '']) => name)
    return {
      text: title,
      // A name that does not occur in the title has no span: it gets the sentiment of the whole title.
      targets: names.map((name) => spanOf(name, title) ?? { start: title.length, end: title.length }),
      gold: pairs.map(([, , , label]) => label ?? null),
      report: (labels) => ({ title, decisions: Object.fromEntries(names.map((name, i) => [name, labels[i]])) }),
    }
  })

const Line = z.union([NewsMtsc, Sentfin], {
  error: 'neither NewsMTSC (id, sentence, from, to, polarity from -1 to 1) nor SEntFiN (title, decisions)',
})

const BATCH_SIZE = 256

/** Macro-F1 of the label towards each target, on a NewsMTSC or SEntFiN file, optionally gzipped. */
export async function scoreSentimentFile(
  readerOf: (texts: readonly string[]) => Promise<Pick<Reader, 'read'>>,
  file: Buffer,
) {
  const questions = jsonLines(textOf(file), Line)
  const reader = await readerOf(questions.map(({ text }) => text))
  const labelsOf = async ({ text, targets }: SentimentQuestion): Promise<string[]> => {
    const [reading] = await reader.read(readWords(text, [{ start: 0, end: text.length }]))
    return reading?.sentiment(targets).targets.map(sentimentLabel) ?? []
  }
  const labels = await inBatches(questions, BATCH_SIZE, (batch) => Promise.all(batch.map(labelsOf)))
  const judged = questions.flatMap(({ gold }, i) =>
    gold.flatMap((label, j) => (label === null ? [] : [{ gold: label, answer: labels[i]?.[j] ?? '' }])),
  )
  const { n, score } = judgedScore(judged)
  const predictions = asJsonLines(questions.map(({ report }, i) => report(labels[i] ?? [])))
  return { measure: 'macro_f1' as const, value: score.f1, n, score, predictions }
}

/** The span of a name in a text, ignoring case and differences in white space. Matches of whole words are preferred. */
export function spanOf(name: string, text: string): { readonly start: number; readonly end: number } | undefined {
  const words = name.split(/\s+/).filter(Boolean).map(escaped).join('\\s+')
  if (words === '') return undefined
  const whole = new RegExp(`(?<![\\p{L}\\p{N}_])${words}(?![\\p{L}\\p{N}_])`, 'iu')
  const found = whole.exec(text) ?? new RegExp(words, 'iu').exec(text)
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length }
}

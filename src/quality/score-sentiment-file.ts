import { z } from 'zod'
import { sentimentLabel } from '../language/sentiment/sentiment.ts'
import type { Encoder, TargetedSentence } from '../ports/encoder.ts'
import { jsonLines, textOf } from './labelled-file.ts'
import { placeOf } from './place-of.ts'
import { macroScore, type MacroScore } from './sentiment-score.ts'

export interface SentimentMeasure {
  readonly measure: 'macro_f1'
  readonly value: number
  /** Judgements counted; null: the file has none. */
  readonly n: number | null
  readonly score: MacroScore
  /** JSONL: `{"id","label"}`, or for SEntFiN `{"title","decisions"}`. */
  readonly predictions: string
}

/** A sentence, what people judged of each of its targets (null: nothing), and the line that reports the answers. */
interface ScoreSentimentFileQuestion extends TargetedSentence {
  readonly gold: readonly (string | null)[]
  readonly report: (labels: readonly string[]) => string
}

const LABELS = ['negative', 'neutral', 'positive']

/** NewsMTSC: a sentence and one mention in it; without a polarity there is only an answer. */
const NewsMtsc = z
  .object({
    id: z.string(),
    sentence: z.string(),
    from: z.int().min(0),
    to: z.int().min(0),
    polarity: z.int().min(-1).max(1).nullish(),
  })
  .transform(({ id, sentence, from, to, polarity }): ScoreSentimentFileQuestion => ({
    text: sentence,
    targets: [{ start: from, end: to }],
    gold: [typeof polarity === 'number' ? (LABELS[polarity + 1] ?? null) : null],
    report: ([label]) => JSON.stringify({ id, label }),
  }))

/** SEntFiN: a headline and the entities in it, as Python prints them: `{'Bank': 'positive', "Lender's": 'negative'}`. */
const Sentfin = z
  .object({ title: z.string(), decisions: z.string() })
  .transform(({ title, decisions }): ScoreSentimentFileQuestion => {
    const pairs = [...decisions.matchAll(/(["'])(.+?)\1: ?["'](negative|neutral|positive)["']/g)]
    const names = pairs.map(([, , name = '']) => name)
    return {
      text: title,
      // A name that does not stand there has no place: its answer is the whole title's.
      targets: names.map((name) => placeOf(name, title) ?? { start: title.length, end: title.length }),
      gold: pairs.map(([, , , label]) => label ?? null),
      report: (labels) =>
        JSON.stringify({ title, decisions: Object.fromEntries(names.map((name, i) => [name, labels[i]])) }),
    }
  })

const Line = z.union([NewsMtsc, Sentfin], {
  error: 'neither NewsMTSC (id, sentence, from, to, polarity from -1 to 1) nor SEntFiN (title, decisions)',
})

/** Macro-F1 of the label towards each target, on a (gzipped) NewsMTSC or SEntFiN file. */
export async function scoreSentimentFile(encoder: Pick<Encoder, 'readings'>, file: Buffer): Promise<SentimentMeasure> {
  const questions = jsonLines(textOf(file), Line)
  const labels: string[][] = []
  for (let from = 0; from < questions.length; from += 256) {
    const batch = questions.slice(from, from + 256).map(({ text, targets }) => ({ text, targets }))
    const readings = await encoder.readings(batch)
    labels.push(...readings.map(({ targets }) => targets.map(sentimentLabel)))
  }
  const judged = questions.flatMap(({ gold }, i) =>
    gold.flatMap((label, j) => (label === null ? [] : [{ gold: label, answer: labels[i]?.[j] ?? '' }])),
  )
  const score = macroScore(
    judged.map(({ gold }) => gold),
    judged.map(({ answer }) => answer),
  )
  const predictions = questions.map(({ report }, i) => `${report(labels[i] ?? [])}\n`).join('')
  const n = judged.length === 0 ? null : judged.length
  return { measure: 'macro_f1', value: score.f1, n, score, predictions }
}

import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { sentimentLabel } from '../language/sentiment/label.ts'
import type { Encoder, TargetedSentence } from '../ports/encoder.ts'
import { placeOf } from './place-of.ts'
import { macroScore, type MacroScore } from './sentiment-score.ts'

export interface SentimentMeasure {
  readonly measure: 'macro_f1'
  readonly value: number
  /** Judgements counted. */
  readonly n: number
  readonly score: MacroScore
  /** JSONL: `{"id","label"}`, or for SEntFiN `{"title","decisions"}`. */
  readonly predictions: string
}

/** A sentence, what people judged of each of its targets, and the line that reports the answers. */
interface Question extends TargetedSentence {
  readonly gold: readonly string[]
  readonly report: (labels: readonly string[]) => string
}

const NewsMtsc = z.object({
  id: z.string(),
  sentence: z.string(),
  from: z.number().int().min(0),
  to: z.number().int().min(0),
  polarity: z.number().int().min(-1).max(1),
})
const Sentfin = z.object({ title: z.string(), decisions: z.string() })

function question(line: unknown): Question {
  const news = NewsMtsc.safeParse(line)
  if (news.success) {
    const { id, sentence, from, to, polarity } = news.data
    return {
      text: sentence,
      targets: [{ start: from, end: to }],
      gold: [['negative', 'neutral', 'positive'][polarity + 1] ?? 'neutral'],
      report: ([label]) => JSON.stringify({ id, label }),
    }
  }
  const { title, decisions } = Sentfin.parse(line)
  const pairs = [...decisions.matchAll(/(["'])(.+?)\1: ?["'](negative|neutral|positive)["']/g)]
  const names = pairs.map(([, , name = '']) => name)
  return {
    text: title,
    // A name that does not stand there has no place: its answer is the whole title's.
    targets: names.map((name) => placeOf(name, title) ?? { start: title.length, end: title.length }),
    gold: pairs.map(([, , , label = 'neutral']) => label),
    report: (labels) =>
      JSON.stringify({ title, decisions: Object.fromEntries(names.map((name, i) => [name, labels[i]])) }),
  }
}

/** Macro-F1 of the label towards each target, on a (gzipped) NewsMTSC or SEntFiN file. */
export async function scoreSentimentFile(encoder: Pick<Encoder, 'readings'>, file: Buffer): Promise<SentimentMeasure> {
  const text = (file[0] === 0x1f ? gunzipSync(file) : file).toString('utf8')
  const questions = text
    .split('\n')
    .filter(Boolean)
    .map((line) => question(JSON.parse(line)))
  const labels: string[][] = []
  for (let from = 0; from < questions.length; from += 256) {
    const readings = await encoder.readings(questions.slice(from, from + 256))
    labels.push(...readings.map(({ targets }) => targets.map(sentimentLabel)))
  }
  const score = macroScore(
    questions.flatMap(({ gold }) => gold),
    labels.flat(),
  )
  const predictions = questions.map(({ report }, i) => `${report(labels[i] ?? [])}\n`).join('')
  return { measure: 'macro_f1', value: score.f1, n: score.n, score, predictions }
}

import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { sentimentLabel } from '../language/sentiment/label.ts'
import type { Sentiment } from '../language/sentiment/sentiment.ts'
import type { Encoder } from '../ports/encoder.ts'
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

/** A sentence, what people judged in it, and the line that reports an answer. */
interface Question {
  readonly sentence: string
  readonly gold: readonly string[]
  readonly report: (label: string) => string
}

const NewsMtsc = z.object({ id: z.string(), sentence: z.string(), polarity: z.number().int().min(-1).max(1) })
const Sentfin = z.object({ title: z.string(), decisions: z.string() })

function question(line: unknown): Question {
  const news = NewsMtsc.safeParse(line)
  if (news.success) {
    const { id, sentence, polarity } = news.data
    const gold = ['negative', 'neutral', 'positive'][polarity + 1] ?? 'neutral'
    return { sentence, gold: [gold], report: (label) => JSON.stringify({ id, label }) }
  }
  const { title, decisions } = Sentfin.parse(line)
  const pairs = [...decisions.matchAll(/(["'])(.+?)\1: ?["'](negative|neutral|positive)["']/g)]
  const answered = (label: string): string =>
    JSON.stringify({ title, decisions: Object.fromEntries(pairs.map(([, , name = '']) => [name, label])) })
  return { sentence: title, gold: pairs.map(([, , , label = 'neutral']) => label), report: answered }
}

/** Macro-F1 of the sentence's label against each judgement in it, on a (gzipped) NewsMTSC or SEntFiN file. */
export async function scoreSentimentFile(
  { encoder, sentiment }: { readonly encoder: Encoder; readonly sentiment: Sentiment },
  file: Buffer,
): Promise<SentimentMeasure> {
  const text = (file[0] === 0x1f ? gunzipSync(file) : file).toString('utf8')
  const questions = text
    .split('\n')
    .filter(Boolean)
    .map((line) => question(JSON.parse(line)))
  const labels: string[] = []
  for (let from = 0; from < questions.length; from += 256) {
    const part = questions.slice(from, from + 256).map(({ sentence }) => sentence)
    const vectors = await encoder.sentences(part)
    vectors.forEach((vector, i) => labels.push(sentimentLabel(sentiment.score(vector, part[i] ?? ''))))
  }
  const gold = questions.flatMap((each) => each.gold)
  const answers = questions.flatMap((each, i) => each.gold.map(() => labels[i] ?? 'neutral'))
  const score = macroScore(gold, answers)
  const predictions = questions.map(({ report }, i) => `${report(labels[i] ?? 'neutral')}\n`).join('')
  return { measure: 'macro_f1', value: score.f1, n: score.n, score, predictions }
}

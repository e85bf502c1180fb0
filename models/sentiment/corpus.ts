import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'

export interface JudgedMention {
  readonly sentence: string
  /** Index into CLASSES: negative, neutral, positive. */
  readonly label: number
  /** What it counts in training. */
  readonly weight: number
}

const lines = (path: string): unknown[] =>
  gunzipSync(readFileSync(path))
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map((line): unknown => JSON.parse(line))

/** NewsMTSC: a sentence of political news and the feeling towards one mention in it. */
export function readNewsMtsc(path: string, weight: number): JudgedMention[] {
  const Row = z.object({ sentence: z.string(), polarity: z.number().int().min(-1).max(1) })
  return lines(path).map((line) => {
    const { sentence, polarity } = Row.parse(line)
    return { sentence, label: polarity + 1, weight }
  })
}

/** SEntFiN: a headline of financial news and the feeling towards each of its companies, `{'SpiceJet': 'neutral'}`. */
export function readSentfin(path: string, weight: number): JudgedMention[] {
  const Row = z.object({ title: z.string(), decisions: z.string() })
  const labels = ['negative', 'neutral', 'positive']
  return lines(path).flatMap((line) => {
    const { title, decisions } = Row.parse(line)
    const found = [...decisions.matchAll(/: ?["'](negative|neutral|positive)["']/g)].map(([, word = '']) =>
      labels.indexOf(word),
    )
    return found.map((label) => ({ sentence: title, label, weight: weight / found.length }))
  })
}

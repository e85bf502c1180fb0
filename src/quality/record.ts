import { readFileSync, writeFileSync } from 'node:fs'
import { dayName, dayOf } from '../domain/days.ts'
import { type Figure, type QualityRecord, rounded, type QualityRun } from '../domain/quality/figures.ts'
import { readStanceModel } from '../adapters/model-files.ts'
import { readRecord, type RecordFiles } from '../wiring/published-quality.ts'
import type { Wiring } from '../ports/wiring.ts'

/** Replaces the recorded figures with the current ones, in both files. */
export async function record(
  wiring: Wiring,
  { files, part, figures }: { files: RecordFiles; part: keyof QualityRecord; figures: readonly Figure[] },
): Promise<void> {
  const run: QualityRun = {
    measured_at: dayName(dayOf(wiring.clock.now())),
    models: await modelNames(wiring),
    figures: figures.map(rounded),
  }
  const next: QualityRecord = { ...readRecord(files), [part]: run }
  writeFileSync(files.json, `${JSON.stringify(next, null, 2)}\n`)
  writeFileSync(files.page, withFigures(readFileSync(files.page, 'utf8'), next))
  wiring.out.progress(`recorded in ${files.json} and ${files.page}`)
}

/** Names and hashes of the models that the figures were measured with. */
async function modelNames(wiring: Wiring): Promise<string[]> {
  const [{ model }, { models }] = await Promise.all([wiring.encoder(), wiring.reader()])
  return [`encoder:${model}`, models.recogniser, models.sentiment, readStanceModel().name]
}

/** The page with its two generated tables replaced. The text around them is preserved. */
export const withFigures = (page: string, { sets, gate }: QualityRecord): string =>
  withBlock(withBlock(page, 'sets', table(sets)), 'gate', table(gate))

function withBlock(page: string, name: string, block: string): string {
  const [begin, end] = [`<!-- ${name}: generated -->`, `<!-- ${name}: end -->`]
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`The page has no place for the figures between ${begin} and ${end}`)
  return `${page.slice(0, from + begin.length)}\n${block}\n${page.slice(to)}`
}

const table = ({ measured_at, models, figures }: QualityRun): string =>
  [
    `Measured ${measured_at}${models.length > 0 ? ` with ${models.map((model) => `\`${model}\``).join(', ')}` : ''}.`,
    '',
    '| set | measure | value | n |',
    '|---|---|---|---|',
    ...figures.map(({ name, measure, value, n }) => `| ${name} | ${measure} | ${shown(measure, value)} | ${n} |`),
  ].join('\n')

/** Counts have no decimals. */
const shown = (measure: string, value: number): string =>
  measure.startsWith('pairs_') ? String(value) : value.toFixed(4)

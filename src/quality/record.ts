import { readFileSync, writeFileSync } from 'node:fs'
import { type Figure, type QualityRecord, rounded, type QualityRun } from '../domain/quality/figures.ts'
import { withFigures } from './figures-page.ts'
import { modelNames } from './measures.ts'
import { readRecord, type RecordFiles } from '../wiring/published-quality.ts'
import type { Wiring } from '../ports/wiring.ts'

/** Today's figures in place of the recorded ones, in both files. */
export async function record(
  wiring: Wiring,
  { files, part, figures }: { files: RecordFiles; part: keyof QualityRecord; figures: readonly Figure[] },
): Promise<void> {
  const run: QualityRun = {
    measured_at: new Date(wiring.clock.now()).toISOString().slice(0, 10),
    models: [...(await modelNames(wiring))],
    figures: figures.map(rounded),
  }
  const next: QualityRecord = { ...readRecord(files), [part]: run }
  writeFileSync(files.json, `${JSON.stringify(next, null, 2)}\n`)
  writeFileSync(files.page, withFigures(readFileSync(files.page, 'utf8'), next))
  wiring.out.progress(`recorded in ${files.json} and ${files.page}`)
}

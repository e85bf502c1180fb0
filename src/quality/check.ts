import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { projectPath } from '../config/project-path.ts'
import { type Comparison, compared, type Figure, isFailure, rounded } from '../domain/quality/figures.ts'
import { everyGroupOfSentences, everyLine, textOf } from './labelled-file.ts'
import { type QualityResult, nerFigures, sentimentFigures, stanceFigures, storyFigures } from './measures.ts'
import { readRecord, RECORD, type RecordFiles } from '../wiring/published-quality.ts'
import { record } from './record.ts'
import type { Wiring } from '../ports/wiring.ts'

/** A fixed part of a labelled set, and its one figure that must not fall. */
interface GuardedFigure {
  readonly set: string
  readonly measure: string
  readonly figures: (wiring: Wiring, file: string) => Promise<QualityResult>
}

const guardedNer = (set: string, every: number): GuardedFigure => ({
  set,
  measure: 'span_f1',
  figures: (wiring, file) => nerFigures(wiring, Buffer.from(everyGroupOfSentences(textOf(readFileSync(file)), every))),
})

const guardedSentiment = (set: string, every: number): GuardedFigure => ({
  set,
  measure: 'macro_f1',
  figures: (wiring, file) => sentimentFigures(wiring, Buffer.from(everyLine(textOf(readFileSync(file)), every))),
})

const guardedStories = (set: string, last?: number): GuardedFigure => ({
  set,
  measure: 'b_cubed_f1',
  figures: (wiring, file) => storyFigures(wiring, file, last === undefined ? {} : { last }),
})

const guardedStance = (set: string): GuardedFigure => ({
  set,
  measure: 'macro_f1',
  figures: (wiring, file) => stanceFigures(wiring, readFileSync(file)),
})

/** The last articles in date order, where labels are densest: about one article in six has one. */
const ALLSIDES = 1_500

/** Sized so that two slow cores measure all of it within two minutes. */
const GUARDED: readonly GuardedFigure[] = [
  guardedNer('ner/dev/conllpp-dev.bio.gz', 1),
  guardedNer('ner/dev/worldwide-newswire-30pct.bio.gz', 2),
  guardedSentiment('sentiment/newsmtsc-dev.jsonl.gz', 1),
  guardedSentiment('sentiment/sentfin-70pct.jsonl.gz', 4),
  guardedStories('stories/gvc-val.jsonl.gz'),
  guardedStories('stories/ecbplus-topics-1-35.jsonl.gz'),
  guardedStories('stories/allsides-2016-2018.jsonl.gz', ALLSIDES),
  guardedStance('discourse/rumoureval2017-traindev.jsonl.gz'),
  guardedStance('discourse/emergent-train.jsonl.gz'),
]

/** The arrival time of articles without a date. Fixed, so that runs are comparable. */
const ARRIVAL = Date.UTC(2026, 0, 1)

interface QualityCheckOptions {
  readonly data: string
  readonly record?: true
  readonly json?: true
}

/** Default: the folder `shared/data` next to the project. */
export const dataOption = (): Option =>
  new Option('--data <folder>', 'folder with the labelled sets').default(
    projectPath('../shared/data'),
    'shared/data beside the project',
  )

export const checkCommand = (quality: Command, wiring: Wiring): void => {
  quality
    .command('check')
    .description(
      'compare a fixed part of the labelled sets with docs/quality.json; exit with 1 if a figure fell by more than allowed',
    )
    .addOption(dataOption())
    .option('--record', 'record the current figures as the new baseline')
    .option('--json', 'print one JSON line per figure')
    .action((options: QualityCheckOptions) => check(wiring, options, RECORD))
}

/** Throws if a guarded figure fell, is missing, or has a different sample size. */
export async function check(
  wiring: Wiring,
  { data, json, ...options }: QualityCheckOptions,
  files: RecordFiles,
): Promise<void> {
  const found = GUARDED.filter(({ set }) => existsSync(join(data, set)))
  const absent = GUARDED.filter((one) => !found.includes(one))
  if (found.length === 0) {
    wiring.out.line(`skipped: no labelled sets in ${data}; quality was not checked`)
    return
  }
  absent.forEach(({ set }) => wiring.out.progress(`not found, not checked: ${join(data, set)}`))
  const started = performance.now()
  const figures = await measured(wiring, data, found)
  wiring.out.progress(`measured in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  if (options.record) {
    if (absent.length > 0) throw new Error('--record needs all sets together')
    await record(wiring, { files, part: 'gate', figures })
  }
  const names = new Set(found.map(({ set }) => set))
  const recorded = readRecord(files).gate.figures.filter(({ name }) => names.has(name))
  print(wiring, compared(recorded, figures), json)
}

/** Measures all sets concurrently: one set waits for the models while another reads. */
async function measured(wiring: Wiring, data: string, guarded: readonly GuardedFigure[]): Promise<readonly Figure[]> {
  const fixedClock: Wiring = { ...wiring, clock: { ...wiring.clock, now: () => ARRIVAL } }
  const each = guarded.map(async ({ set, measure, figures }) => {
    const all = await figures(fixedClock, join(data, set))
    return all.figures.filter((figure) => figure.measure === measure).map((figure) => rounded({ name: set, ...figure }))
  })
  return (await Promise.all(each)).flat()
}

function print({ out }: Wiring, comparisons: readonly Comparison[], json: true | undefined): void {
  if (json) comparisons.forEach((comparison) => out.json(comparison))
  else ['  today  recorded  difference  may fall by', ...comparisons.map(row)].forEach((line) => out.line(line))
  const failures = comparisons.filter(isFailure)
  if (failures.length > 0) throw new Error(`quality check failed: ${failures.map(failureText).join('; ')}`)
}

const points = (value: number | null, width: number): string => (value?.toFixed(4) ?? '-').padStart(width)

const row = ({ name, measure, baseline, value, tolerance, verdict }: Comparison): string => {
  const difference = baseline === null || value === null ? null : value - baseline
  return `${points(value, 7)} ${points(baseline, 9)} ${points(difference, 11)} ${points(tolerance, 12)}  ${VERDICT_LABELS[verdict].padEnd(8)} ${measure.padEnd(11)} ${name}`
}

const VERDICT_LABELS: Readonly<Record<Comparison['verdict'], string>> = {
  held: 'held',
  dropped: 'FELL',
  other_n: 'OTHER N',
  new: 'new',
  missing: 'MISSING',
}

function failureText({ name, measure, baseline, value, verdict }: Comparison): string {
  const figure = `${measure} of ${name}`
  if (verdict === 'missing') return `${figure} is recorded but was not measured`
  if (verdict === 'other_n')
    return `${figure} has another sample size than the recorded figure; use --record to replace it`
  return `${figure} fell from ${points(baseline, 0)} to ${points(value, 0)}`
}

import {
  benchMemory,
  benchSteady,
  benchSteps,
  type MemoryFigure,
  type SteadyFigure,
  type StepFigure,
} from '../detections/detections-bench.ts'
import type { BenchResult, BenchPart, BenchSetting } from './part.ts'

const ENTITIES = 10_000
const DAYS = 30
const STEPS = 100

export const detected: BenchPart = {
  says: `the detector on ${ENTITIES.toLocaleString('en')} steady entities over ${DAYS} days and on fivefold steps: false alarms, delay, CPU, memory (minutes)`,
  alone: measure,
}

async function measure({ wiring }: BenchSetting): Promise<BenchResult> {
  await wiring.close() // no model takes the cores of what is measured
  const budget = wiring.config.detected.articlesInMemory
  wiring.out.progress('memory is filled ...')
  const memory = benchMemory(budget)
  wiring.out.progress(`${STEPS} steps of each kind ...`)
  const steps = benchSteps(STEPS)
  wiring.out.progress(`${ENTITIES} steady entities ...`)
  const steady = benchSteady({ entities: ENTITIES, days: DAYS, budget })
  return {
    figures: { steady, steps, memory },
    lines: [...steadyLines(steady), ...steps.map(stepLine), memoryLine(memory)],
  }
}

const steadyLines = (f: SteadyFigure): readonly string[] => [
  `  ${f.articles.toLocaleString('en')} articles`,
  `    called spiking          ${percent(f.false_share)}   ever, with support; ${percent(f.false_share_low_support).trim()} with or without`,
  ...Object.entries(f.false_share_by_rate)
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([most, share]) => `      up to ${most.padStart(5)} a day     ${percent(share)}`),
  `    sentiment shifts        ${f.shifts_a_thousand_entity_days.toFixed(2).padStart(9)}   in 1,000 days of an entity`,
  `    CPU ms an article       ${f.cpu_ms_an_article.toFixed(3).padStart(9)}`,
  `    memory                  ${kilobytes(f.bytes_an_article)} KB an article, of ${f.articles_in_memory.toLocaleString('en')}`,
  '  fivefold steps            within 3 h     median    slowest   not told, told again',
]

const stepLine = (f: StepFigure): string =>
  `    ${f.spacing.padEnd(8)} ${f.mentions_a_day.padEnd(14)} ${percent(f.within_3_hours)}  ${hours(f.median_hours)}  ${hours(f.slowest_hours)}   ${f.never} of ${f.steps}, ${f.more_than_once}`

const memoryLine = (f: MemoryFigure): string =>
  `  names as in news          ${kilobytes(f.bytes_an_article)} KB an article, of ${f.articles.toLocaleString('en')} with ${f.names.toLocaleString('en')} names`

const percent = (share: number): string => `${(100 * share).toFixed(2)} %`.padStart(9)
const hours = (value: number): string => `${value.toFixed(2)} h`.padStart(9)
const kilobytes = (bytes: number): string => (bytes / 1024).toFixed(2).padStart(9)

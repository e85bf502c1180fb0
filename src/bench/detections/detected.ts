import type { BenchResult, BenchPart, BenchSetting } from '../part.ts'
import { articlesClustered, type ArticleClustered } from '../../events/ledger.ts'
import type { TrendDetected } from '../../events/trends.ts'
import { remembered, type DetectedRecord } from '../../stages/detected/changelog.ts'
import { detected as detectedStage } from '../../stages/detected/stage.ts'
import { seeded } from '../../quality/seeded-random.ts'
import { bytesInUse, ownCpuMs } from '../processes.ts'
import { median } from '../rounds.ts'
import { article, articlesOf, hoursOf, type NewsWorldSubject } from './news-world.ts'

const ENTITIES = 10_000
const DAYS = 30
const STEPS_OF_A_KIND = 100

export const detected: BenchPart = {
  about: `the detector on ${ENTITIES.toLocaleString('en')} steady entities over ${DAYS} days and on fivefold steps: false alarms, delay, CPU, memory (minutes)`,
  alone: measure,
}

async function measure({ wiring }: BenchSetting): Promise<BenchResult> {
  await wiring.close() // no model competes for the cores
  const budget = wiring.config.detected.articlesInMemory
  wiring.out.progress('memory is filled ...')
  const memory = benchMemory(budget)
  wiring.out.progress(`${STEPS_OF_A_KIND} steps of each kind ...`)
  const steps = benchSteps(STEPS_OF_A_KIND)
  wiring.out.progress(`${ENTITIES} steady entities ...`)
  const steady = benchSteady({ entities: ENTITIES, days: DAYS, budget })
  return {
    figures: { steady, steps, memory },
    lines: [...steadyLines(steady), ...steps.map(stepLine), memoryLine(memory)],
  }
}

interface DetectionBenchSize {
  readonly entities: number
  readonly days: number
  readonly budget: number
}

const RATES = { min: 0.1, max: 200 } as const
const UP_TO = [0.3, 1, 3, 10, 30, 100, 200] as const
const NAMES_AN_ARTICLE = 25

/** Entities that are mentioned at random with a constant rate. None of them should ever spike. */
export function benchSteady({ entities, days, budget }: DetectionBenchSize) {
  const random = seeded(`${entities} steady entities`)
  const subjects = Array.from({ length: entities }, (_, i): NewsWorldSubject => {
    return { name: `ent_${i}`, mentionsADay: between(RATES, random), stepAt: null, spacing: 'poisson' }
  })
  const world = articlesOf({ subjects, days, namesAnArticle: NAMES_AN_ARTICLE, random })
  const before = bytesInUse()
  const { events, articles, cpuMs, state } = decideAll(world, budget)
  const bytes = bytesInUse() - before
  const spikes = events.filter(({ type }) => type === 'entity.spike')
  const supported = new Set(spikes.filter((one) => !one.low_support).map(({ subject_id }) => subject_id))
  return {
    entities,
    days,
    articles,
    /** The share of entities that ever spike: with support, and with or without it. */
    false_share: supported.size / entities,
    false_share_low_support: new Set(spikes.map(({ subject_id }) => subject_id)).size / entities,
    /** The share by mentions per day. Each key is the upper bound of a band. */
    false_share_by_rate: shareByRate(subjects, supported),
    /** Sentiment shifts, although the distribution of sentiments is constant. */
    shifts_a_thousand_entity_days:
      (1000 * events.filter(({ type }) => type === 'sentiment.shift').length) / (entities * days),
    cpu_ms_an_article: cpuMs / articles,
    articles_in_memory: state.size,
    bytes_an_article: bytes / state.size,
  }
}

function shareByRate(
  subjects: readonly NewsWorldSubject[],
  spiking: ReadonlySet<string>,
): Readonly<Record<string, number>> {
  const bands = UP_TO.map((max, i) => {
    const min = UP_TO[i - 1] ?? 0
    const inBand = subjects.filter(({ mentionsADay }) => mentionsADay > min && mentionsADay <= max)
    return [`${max}`, inBand.filter(({ name }) => spiking.has(name)).length / Math.max(1, inBand.length)] as const
  })
  return Object.fromEntries(bands)
}

const STEPS = [
  { min: 20, max: 20 },
  { min: 20, max: 50 },
  { min: 50, max: 200 },
] as const

/**
 * Entities whose rate of mentions rises to five times its value at a random hour of the ninth day and stays there for
 * six days.
 */
export const benchSteps = (steps: number) =>
  (['even', 'poisson'] as const).flatMap((spacing) => STEPS.map((rates) => stepFigure({ spacing, rates, steps })))

interface DetectionsBenchSteps {
  readonly spacing: NewsWorldSubject['spacing']
  readonly rates: { readonly min: number; readonly max: number }
  readonly steps: number
}

function stepFigure({ spacing, rates, steps }: DetectionsBenchSteps) {
  const random = seeded(`${steps} ${spacing} steps from ${rates.min} to ${rates.max}`)
  const subjects = Array.from({ length: steps }, (_, i): NewsWorldSubject => {
    return { name: `ent_${i}`, mentionsADay: between(rates, random), stepAt: 24 * (8 + random()), spacing }
  })
  const world = articlesOf({ subjects, days: 15, namesAnArticle: 1, random })
  const { events } = decideAll(world, Infinity)
  const delays = subjects.map(({ name, stepAt }) =>
    events
      .filter((one) => one.type === 'entity.spike' && one.subject_id === name)
      .map(({ occurred_at }) => hoursOf(occurred_at) - (stepAt ?? 0))
      .filter((hours) => hours >= 0),
  )
  const firsts = delays.map((all) => all[0] ?? Infinity)
  return {
    spacing,
    mentions_a_day: rates.min === rates.max ? `${rates.min}` : `${rates.min} to ${rates.max}`,
    steps,
    within_3_hours: firsts.filter((hours) => hours <= 3).length / steps,
    median_hours: median(firsts),
    slowest_hours: Math.max(...firsts.filter(Number.isFinite)),
    never: firsts.filter((hours) => hours === Infinity).length,
    /** Detected more than once in the six days after the step. */
    more_than_once: delays.filter(({ length }) => length > 1).length,
  }
}

/** The number of names. Some occur in every other article, most in one or two. */
const NAMES = 2_000_000

/** Memory usage if names are distributed as in news, with hundreds of thousands of them. */
export function benchMemory(articles: number) {
  const random = seeded(`${articles} articles`)
  const { memory } = detectedStage({ budget: Infinity })
  const before = bytesInUse()
  let state = memory.empty()
  for (let i = 0; i < articles; i++) {
    const names = Array.from({ length: NAMES_AN_ARTICLE }, () => ({ hour: i / 100, name: nameOf(NAMES ** random()) }))
    const value: DetectedRecord = {
      ...{ namespace: 'bench', told: null, lost_day: null },
      article: { ...remembered(article(i, names, random), null), log_order: i },
    }
    state = memory.evolve(state, { key: memory.changelog.key(value), value })
  }
  const bytes = bytesInUse() - before
  return {
    articles,
    names_an_article: NAMES_AN_ARTICLE,
    /** The number of different names. */
    names: state.namespaces.get('bench')?.entities.size ?? 0,
    bytes_an_article: bytes / state.size,
  }
}

/** A name of the same length as an entity id. */
const nameOf = (rank: number): string => `ent_${String(Math.floor(rank)).padStart(16, '0')}`

/** A random rate, distributed so that as many are between 1 and 10 as between 10 and 100. */
const between = ({ min, max }: { readonly min: number; readonly max: number }, random: () => number): number =>
  min * (max / min) ** random()

/** Decides all articles in order and updates the state. Only this is counted as CPU time. */
function decideAll(articles: Iterable<ArticleClustered>, budget: number) {
  const stage = detectedStage({ budget })
  let state = stage.memory.empty()
  let [offset, cpuMs] = [0, 0]
  const events: TrendDetected[] = []
  for (const some of inHundreds(articles)) {
    const started = ownCpuMs()
    for (const event of some) {
      const place = { topic: articlesClustered.name, partition: 0, offset: offset++ }
      const decided = stage.decide(state, { event, topic: place.topic, place, loggedAt: event.occurred_at })
      for (const entry of decided.remember) state = stage.memory.evolve(state, entry)
      if (decided.kind === 'emit') events.push(...decided.events)
    }
    cpuMs += ownCpuMs() - started
  }
  return { events, state, articles: offset, cpuMs }
}

function* inHundreds<One>(ones: Iterable<One>): Generator<readonly One[]> {
  let some: One[] = []
  for (const one of ones) {
    some.push(one)
    if (some.length < 100) continue
    yield some
    some = []
  }
  yield some
}

const steadyLines = (f: ReturnType<typeof benchSteady>): readonly string[] => [
  `  ${f.articles.toLocaleString('en')} articles`,
  `    called spiking          ${percent(f.false_share)}   ever, with support; ${percent(f.false_share_low_support).trim()} with or without`,
  ...Object.entries(f.false_share_by_rate)
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([most, share]) => `      up to ${most.padStart(5)} a day     ${percent(share)}`),
  `    sentiment shifts        ${f.shifts_a_thousand_entity_days.toFixed(2).padStart(9)}   in 1,000 days of an entity`,
  `    CPU ms an article       ${f.cpu_ms_an_article.toFixed(3).padStart(9)}`,
  `    memory                  ${kilobytes(f.bytes_an_article)} KB an article, of ${f.articles_in_memory.toLocaleString('en')}`,
  '  fivefold steps            within 3 h     median    slowest   missed, repeated',
]

const stepLine = (f: ReturnType<typeof stepFigure>): string =>
  `    ${f.spacing.padEnd(8)} ${f.mentions_a_day.padEnd(14)} ${percent(f.within_3_hours)}  ${hours(f.median_hours)}  ${hours(f.slowest_hours)}   ${f.never} of ${f.steps}, ${f.more_than_once}`

const memoryLine = (f: ReturnType<typeof benchMemory>): string =>
  `  names as in news          ${kilobytes(f.bytes_an_article)} KB an article, of ${f.articles.toLocaleString('en')} with ${f.names.toLocaleString('en')} names`

const percent = (share: number): string => `${(100 * share).toFixed(2)} %`.padStart(9)
const hours = (value: number): string => `${value.toFixed(2)} h`.padStart(9)
const kilobytes = (bytes: number): string => (bytes / 1024).toFixed(2).padStart(9)

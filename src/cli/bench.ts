import { Argument, Option, type Command } from 'commander'
import {
  articlesOf,
  requireFigures,
  TooFewArticles,
  type BenchResult,
  type BenchPart,
  type BenchSetting,
} from '../bench/part.ts'
import { withOwnService } from '../bench/own-service.ts'
import { projectPath } from '../config/project-path.ts'
import { thisCli } from '../wiring/up/service.ts'
import type { Wiring } from '../ports/wiring.ts'
import { analysts } from '../bench/analysts.ts'
import { clusters } from '../bench/clusters/clusters.ts'
import { dashboard } from '../bench/dashboard.ts'
import { detected } from '../bench/detections/detected.ts'
import { enriched } from '../bench/enriched/enriched.ts'
import { graph } from '../bench/graph/graph.ts'
import { growing } from '../bench/growing/growing.ts'
import { http } from '../bench/http/http.ts'
import { idle } from '../bench/idle.ts'
import { latency } from '../bench/latency.ts'
import { layer0 } from '../bench/layer0.ts'
import { layer1 } from '../bench/layer1.ts'
import { monitors } from '../bench/monitors/monitors.ts'
import { poison } from '../bench/poison.ts'
import { reads } from '../bench/reads/reads.ts'
import { replay } from '../bench/replay.ts'
import { search } from '../bench/search.ts'
import { sizing } from '../bench/sizing.ts'
import { stages } from '../bench/stages.ts'
import { heap } from '../bench/heap.ts'
import { budget } from '../bench/state/budget.ts'
import { state } from '../bench/state/state.ts'
import { webhooks } from '../bench/webhooks/webhooks.ts'
import { warc } from '../bench/warc/warc.ts'
import { whole } from '../bench/whole.ts'

const PARTS = {
  layer0,
  layer1,
  stages,
  clusters,
  state,
  budget,
  detected,
  enriched,
  webhooks,
  http,
  whole,
  dashboard,
  idle,
  latency,
  search,
  reads,
  graph,
  analysts,
  growing,
  sizing,
  heap,
  replay,
  poison,
  warc,
  monitors,
} satisfies Readonly<Record<string, BenchPart>>

type PartName = keyof typeof PARTS
const NAMES = Object.keys(PARTS).filter((name): name is PartName => name in PARTS)

interface BenchOptions {
  readonly articles: string
  readonly file: string
  readonly json?: true
  readonly record?: boolean
}

export const benchCommand = (program: Command, wiring: Wiring): void => {
  program
    .command('bench')
    .description('measure speed and memory; each figure is printed with a baseline from the same run')
    .addArgument(new Argument('[part...]', 'parts to measure (default: all)').choices(NAMES))
    .addOption(fileOption())
    .option('--articles <n>', 'maximum number of articles', '300')
    .option('--json', 'print one JSON object per part')
    .option('--record', 'add the cost of an article, as `whole` measures it, to docs/cost-history.jsonl')
    .addHelpText('after', ['\nParts:', ...NAMES.map((name) => `  ${name.padEnd(10)} ${PARTS[name].about}`)].join('\n'))
    .action(async (parts: readonly PartName[], options: BenchOptions) => {
      await bench(parts, options, wiring)
    })
}

const fileOption = (): Option => {
  const sample = 'samples/ecbplus.jsonl.gz'
  return new Option('--file <jsonl>', 'file with the articles').default(projectPath(sample), sample)
}

/** Measures the named parts, those in this process first; by default all parts for which there are enough articles. */
async function bench(named: readonly PartName[], { json, ...options }: BenchOptions, wiring: Wiring): Promise<void> {
  const setting = await settingOf(named, options, wiring)
  for (const name of NAMES.filter((one) => named.length === 0 || named.includes(one))) {
    const part: BenchPart = PARTS[name]
    wiring.out.progress(`${name}: ${part.about} (${setting.articles.length} articles) ...`)
    const { figures, lines } = await measure(name, setting).catch((cause: unknown) => {
      if (named.length > 0 || !(cause instanceof TooFewArticles)) throw new Error(`bench ${name}`, { cause })
      return { figures: null, lines: [`  not measured: ${cause.message}`] }
    })
    if (json) wiring.out.json({ part: name, figures })
    else ['', `${name}: ${part.about}`, ...lines].forEach((line) => wiring.out.line(line))
  }
}

async function settingOf(
  named: readonly PartName[],
  { file, articles, record = false }: BenchOptions,
  wiring: Wiring,
): Promise<BenchSetting> {
  const requested = Number(articles)
  if (!Number.isInteger(requested) || requested < 1)
    throw new Error(`--articles ${articles}: expected a whole number, 1 or more`)
  if (record && named.length > 0 && !named.includes('whole'))
    throw new Error('--record needs the part whole: story bench whole --record')
  const found = await articlesOf(file, requested)
  if (found.length === 0) throw new Error(`${file} contains no usable article. Use --file to choose another file`)
  return { wiring, requested, record, articles: found }
}

/** Throws `TooFewArticles` if a figure has no data. */
async function measure(name: PartName, setting: BenchSetting): Promise<BenchResult> {
  const found = await runPart(PARTS[name], setting)
  requireFigures(found.figures, setting.articles.length)
  return found
}

async function runPart(part: BenchPart, setting: BenchSetting): Promise<BenchResult> {
  if ('alone' in part) return part.alone(setting)

  await setting.wiring.close() // its models would compete for CPU and memory with the measured process
  const { config, environment } = setting.wiring
  const own = thisCli({ ...environment, STORY_CACHE: config.cache })
  return withOwnService(own, (service) => part.inService(setting, service))
}

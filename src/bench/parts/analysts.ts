import { benchAnalysts, type AnalystsFigure, type WaitTimes } from '../analysts-bench.ts'
import type { OwnService } from '../own-service.ts'
import { loadConfig } from '../../config/config.ts'
import { openSecrets } from '../../engines/secrets.ts'
import { projectPath } from '../../config/project-path.ts'
import { askCli } from '../../wiring/up/service.ts'
import type { BenchResult, BenchPart, BenchSetting } from './part.ts'

export const analysts: BenchPart = {
  says: 'latency of the REST API while an analyst runs queries continuously, and alone',
  inService: measure,
}

async function measure({ wiring: { out } }: BenchSetting, service: OwnService): Promise<BenchResult> {
  const { command, environment, home, url, key } = service
  const [program, ...args] = command
  out.progress('importing the sample ...')
  await askCli({ command: program, args, environment }, [
    ...['import', 'jsonl', projectPath('samples/ecbplus.jsonl.gz'), '--wait'],
  ])
  const figures = await benchAnalysts({
    rest: { url, key },
    analyst: {
      url: loadConfig(environment).clickhouse.url,
      password: openSecrets(home).random('clickhouse_analyst_password'),
    },
    onProgress: (line) => out.progress(line),
  })
  return { figures, lines: table(figures) }
}

const waited = ({ requests, p50, p99 }: WaitTimes): string =>
  `p50 ${p50.toFixed(0).padStart(5)} ms   p99 ${p99.toFixed(0).padStart(5)} ms   (${requests} requests)`

const table = ({ idle, beside_runaways, ratio, runaways }: AnalystsFigure): readonly string[] => [
  `  REST alone                 ${waited(idle)}`,
  `  beside queries without end ${waited(beside_runaways)}   ${ratio.toFixed(2)} times the p99`,
  ...runaways.map(
    ({ what, ended_by, times, longest }) =>
      `    ${what.padEnd(36)} ${ended_by} ${times} times, after ${(longest / 1000).toFixed(1)} s at most`,
  ),
]

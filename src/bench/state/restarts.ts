import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { PlainCodec } from '../../adapters/plain-codec.ts'
import { openEngines } from '../../config/kafka.ts'
import { articlesAnalyzed, type ArticleAnalyzed } from '../../events/articles.ts'
import { articlesClustered } from '../../events/ledger.ts'
import { applyTopics } from '../../operations/topics.ts'
import type { Log, OutRecord } from '../../ports/log.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { clusteredMemory } from '../../stages/clustered/changelog.ts'
import { endProcess, withOwnEngines } from '../own-service.ts'
import { writeEvents } from '../topic-events.ts'
import { readChangelogFile } from './changelog-file.ts'
import { programArguments } from './decider.ts'

/** Seconds from the start of a process to its first decision; `null` with a reason if it was not measured. */
export type RestartFigure = { readonly seconds: number } | { readonly seconds: null; readonly reason: string }

export interface RestartFigures {
  /** With the data folder that an earlier process left. */
  readonly warm: RestartFigure
  /** Without a data folder. */
  readonly cold: RestartFigure
  /** A standby takes over from a process that was killed. */
  readonly standby: RestartFigure
}

export interface RestartInput {
  readonly changelog: string
  /** Articles that are not in the changelog; each restart decides one. */
  readonly next: readonly ArticleAnalyzed[]
  readonly environment: Readonly<Record<string, string>>
}

const NO_STANDBY: RestartFigure = { seconds: null, reason: 'the runtime has no standbys' }
const NO_CHECKPOINT: RestartFigure = { seconds: null, reason: 'the process wrote no checkpoint to its data folder' }

/** Restarts the clusterer as a service does: in its own process, with its changelog in Kafka. */
export function measureRestarts(wiring: Wiring, options: RestartInput): Promise<RestartFigures> {
  return withOwnEngines(wiring, async ({ home, engines, log }) => {
    await applyTopics({ kafka: { brokers: engines.brokers }, topics: wiring.config.topics })
    wiring.out.progress('state: the changelog is written to Kafka ...')
    await produceChangelog(log, options.changelog)
    const environment = {
      ...options.environment,
      ...openEngines,
      ...{ STORY_HOME: join(home, 'clusterer'), KAFKA_BROKERS: engines.brokers.join(',') },
      ...{ REGISTRY_URL: engines.registryUrl, LOG_LEVEL: 'error', METRICS_PORT: '' },
    }
    const [first, second] = options.next
    wiring.out.progress('state: the clusterer starts without a data folder ...')
    const cold = await firstDecision(log, environment, first)
    if (!hasFiles(environment.STORY_HOME)) return { cold, warm: NO_CHECKPOINT, standby: NO_STANDBY }
    wiring.out.progress('state: the clusterer starts with its data folder ...')
    return { cold, warm: await firstDecision(log, environment, second), standby: NO_STANDBY }
  })
}

const hasFiles = (folder: string): boolean =>
  existsSync(folder) && readdirSync(folder, { recursive: true, withFileTypes: true }).some((entry) => entry.isFile())

/** Bytes per call. The log divides them into requests. */
const PRODUCED_BYTES = 8 * 2 ** 20

/**
 * Only the changelog is written, in large batches: to send a million articles of 10 kB through the input topic and one
 * transaction per part would take an hour, and a restart reads none of it.
 */
export async function produceChangelog(log: Log, path: string): Promise<void> {
  let [records, bytes]: [OutRecord[], number] = [[], 0]
  for await (const { key, value } of readChangelogFile(path)) {
    records.push({ topic: clusteredMemory.name, key, value, partition: 0 })
    bytes += value?.length ?? 0
    if (bytes < PRODUCED_BYTES) continue
    await log.produce(records)
    ;[records, bytes] = [[], 0]
  }
  await log.produce(records)
}

async function firstDecision(
  log: Log,
  environment: Readonly<Record<string, string>>,
  article: ArticleAnalyzed | undefined,
): Promise<RestartFigure> {
  if (article === undefined) return { seconds: null, reason: 'there is no article to decide' }
  await writeEvents({ log, codec: new PlainCodec() }, articlesAnalyzed, [article])
  const before = await decisionsIn(log)
  const began = performance.now()
  const child = spawn(process.execPath, [...programArguments('take-over-process'), JSON.stringify(environment)], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const isDecided = await untilNextDecision(log, before, child)
  const seconds = (performance.now() - began) / 1000
  await endProcess(child)
  return isDecided ? { seconds } : { seconds: null, reason: `the process ended after ${seconds.toFixed(0)} s` }
}

/** `false` if the process ended before. */
async function untilNextDecision(log: Log, before: number, child: ChildProcess): Promise<boolean> {
  while ((await decisionsIn(log)) <= before) {
    if (child.exitCode !== null || child.signalCode !== null) return false
    await setTimeout(50)
  }
  return true
}

const decisionsIn = async (log: Log): Promise<number> =>
  (await log.ends(articlesClustered.name)).reduce((sum, end) => sum + end, 0)

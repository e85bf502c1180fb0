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
import { STANDBY_READY } from '../../runtime/warm-states.ts'
import { clusteredMemory } from '../../stages/clustered/changelog.ts'
import { endProcess, withOwnEngines } from '../own-service.ts'
import { writeEvents } from '../topic-events.ts'
import { readChangelogFile } from './changelog-file.ts'
import { programArguments } from './program.ts'

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

const NO_CHECKPOINT: RestartFigure = { seconds: null, reason: 'the process wrote no checkpoint to its data folder' }

const NO_ARTICLE: RestartFigure = { seconds: null, reason: 'there is no article to decide' }

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
    const [first, second, ...rest] = options.next
    wiring.out.progress('state: the clusterer starts without a data folder ...')
    const cold = await firstDecision(log, environment, first)
    if (!hasFiles(environment.STORY_HOME)) return { cold, warm: NO_CHECKPOINT, standby: NO_CHECKPOINT }
    wiring.out.progress('state: the clusterer starts with its data folder ...')
    const warm = await firstDecision(log, environment, second)
    wiring.out.progress('state: a standby copies the changelog and takes over ...')
    const standby = await takenOver(log, [environment, { ...environment, STORY_HOME: join(home, 'standby') }], rest)
    return { cold, warm, standby }
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
  if (article === undefined) return NO_ARTICLE
  await writeEvents({ log, codec: new PlainCodec() }, articlesAnalyzed, [article])
  const before = await decisionsIn(log)
  const began = performance.now()
  const child = clusterer(environment)
  const isDecided = await untilNextDecision(log, before, child)
  const seconds = (performance.now() - began) / 1000
  await endProcess(child)
  return isDecided ? { seconds } : { seconds: null, reason: `the process ended after ${seconds.toFixed(0)} s` }
}

/** @param isHeard Whether its log is read here. */
const clusterer = (environment: Readonly<Record<string, string>>, isHeard = false): ChildProcess =>
  spawn(process.execPath, [...programArguments('take-over-process'), JSON.stringify(environment)], {
    env: environment,
    stdio: ['ignore', 'ignore', isHeard ? 'pipe' : 'inherit'],
  })

type Environment = Readonly<Record<string, string>> & { readonly STORY_HOME: string }

/** Seconds from the death of the owner to the first decision of its standby, which holds the state. */
async function takenOver(
  log: Log,
  [ofOwner, ofStandby]: readonly [Environment, Environment],
  [ofTheOwner, ofTheStandby]: readonly ArticleAnalyzed[],
): Promise<RestartFigure> {
  if (ofTheOwner === undefined || ofTheStandby === undefined) return NO_ARTICLE
  const owner = clusterer(ofOwner)
  const decided = async (article: ArticleAnalyzed, by: ChildProcess) => {
    const before = await decisionsIn(log)
    await writeEvents({ log, codec: new PlainCodec() }, articlesAnalyzed, [article])
    return untilNextDecision(log, before, by)
  }
  const running = [owner]
  try {
    if (!(await decided(ofTheOwner, owner))) return { seconds: null, reason: 'the owner ended' }
    const standby = clusterer({ ...ofStandby, LOG_LEVEL: 'info' }, true)
    running.push(standby)
    if (!(await untilReady(standby))) return { seconds: null, reason: 'the standby did not restore the state' }
    const began = performance.now()
    owner.kill('SIGKILL')
    const isDecided = await decided(ofTheStandby, standby)
    const seconds = (performance.now() - began) / 1000
    return isDecided ? { seconds } : { seconds: null, reason: `the standby ended after ${seconds.toFixed(0)} s` }
  } finally {
    await Promise.all(running.map(endProcess))
  }
}

/** Copying a million articles of 2.5 kB and restoring them takes some minutes. */
const READY_SECONDS = 900

/** Waits until the standby holds the state of the partition. `false` if it ended before. */
function untilReady(standby: ChildProcess): Promise<boolean> {
  const ready = new Promise<boolean>((resolve) => {
    standby.once('exit', () => resolve(false))
    standby.stderr?.on('data', (lines: Buffer) => {
      if (lines.includes(STANDBY_READY)) resolve(true)
      if (lines.includes('"level":50')) process.stderr.write(lines)
    })
  })
  return Promise.race([ready, setTimeout(READY_SECONDS * 1_000, false, { ref: false })])
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

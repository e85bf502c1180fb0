import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { articlesAnalyzed, type ArticleAnalyzed } from '../../events/articles.ts'
import type { ArticleClustered } from '../../events/ledger.ts'
import type { Codec } from '../../ports/log.ts'
import type { Input } from '../../runtime/shapes.ts'
import type { ClusteredStage } from '../../stages/clustered/stage.ts'
import { ownCpuMs } from '../processes.ts'
import { ChangelogFile, readChangelogFile, type ChangelogRecord } from './changelog-file.ts'
import type { StateWorld } from './world.ts'

export type DecideState = ReturnType<ClusteredStage['memory']['empty']>

export const changelogPath = (folder: string): string => join(folder, 'changelog')

/** The progress of a run, saved with the changelog, so that an interrupted run continues. */
export const DecideProgress = z.object({
  articles: z.number(),
  changelogBytes: z.number(),
  /** Of keys and values. */
  recordBytes: z.number(),
  /** Deciding, evolving, encoding and writing the state updates. */
  cpuMs: z.number(),
  /** CPU milliseconds of the last decisions. */
  decisions: z.array(z.number()),
  /** Of the changelog when a quarter of the articles was decided; `null` before. */
  quarterBytes: z.number().nullable(),
})
export type DecideProgress = z.infer<typeof DecideProgress>

const NONE: DecideProgress = {
  articles: 0,
  changelogBytes: 0,
  recordBytes: 0,
  cpuMs: 0,
  decisions: [],
  quarterBytes: null,
}

/** The number of decisions that a median is computed from. */
const LAST_DECISIONS = 10_000
const BATCH = 64

export interface DecideOptions {
  readonly stage: ClusteredStage
  readonly codec: Codec
  readonly world: StateWorld
  /** The number of articles of the world that are decided. The others are samples. */
  readonly articles: number
  readonly folder: string
  /** Progress is saved after this many batches of 64 articles. */
  readonly saveEvery: number
  readonly onProgress: (progress: DecideProgress) => void
}

/** Decides the articles of a world one after the other and writes the changelog to a file. */
export async function decideWorld(options: DecideOptions): Promise<{ state: DecideState; progress: DecideProgress }> {
  const { articles, folder, saveEvery, onProgress } = options
  mkdirSync(folder, { recursive: true })
  let progress = savedProgress(folder)
  let state = await restoreState(options, progress)
  const file = new ChangelogFile(changelogPath(folder), progress.changelogBytes)
  for (let batch = 1; progress.articles < articles; batch++) {
    const done = await decideBatch(options, { state, progress, file })
    state = done.state
    progress = done.progress
    if (batch % saveEvery !== 0 && progress.articles < articles) continue
    save(folder, progress)
    onProgress(progress)
  }
  file.close()
  return { state, progress }
}

interface DecideRun {
  readonly state: DecideState
  readonly progress: DecideProgress
  readonly file: ChangelogFile
}

async function decideBatch(
  { stage, codec, world, articles }: DecideOptions,
  { state: before, progress, file }: DecideRun,
): Promise<Pick<DecideRun, 'state' | 'progress'>> {
  let state = before
  const from = progress.articles
  const to = Math.min(articles, from + BATCH, from < quarter(articles) ? quarter(articles) : articles)
  const inputs = inputsBetween(world, from, to) // not measured: the world is no part of the clusterer
  const began = ownCpuMs()
  const decisions: number[] = []
  const records: ChangelogRecord[] = []
  for (const input of inputs) {
    const start = ownCpuMs()
    const { remember } = stage.decide(state, input)
    decisions.push(ownCpuMs() - start)
    for (const entry of remember) {
      state = stage.memory.evolve(state, entry)
      const value = entry.value === null ? null : await codec.encode(stage.memory.changelog, entry.value)
      records.push({ key: entry.key, value })
    }
  }
  file.append(records)
  const last = [...progress.decisions, ...decisions].slice(-LAST_DECISIONS)
  return {
    state,
    progress: {
      articles: to,
      changelogBytes: file.bytes,
      recordBytes: progress.recordBytes + records.reduce((sum, record) => sum + bytesOf(record), 0),
      cpuMs: progress.cpuMs + ownCpuMs() - began,
      decisions: last,
      quarterBytes: to === quarter(articles) ? file.bytes : progress.quarterBytes,
    },
  }
}

export const quarter = (articles: number): number => Math.ceil(articles / 4)

const bytesOf = ({ key, value }: ChangelogRecord): number => Buffer.byteLength(key) + (value?.length ?? 0)

export const inputsBetween = (world: StateWorld, from: number, to: number): Input<ArticleAnalyzed>[] =>
  Array.from({ length: to - from }, (_, i) => inputOf(world, from + i))

export function inputOf(world: StateWorld, offset: number): Input<ArticleAnalyzed> {
  const event = world.article(offset)
  const { name: topic } = articlesAnalyzed
  return { event, topic, place: { topic, partition: 0, offset }, loggedAt: event.occurred_at }
}

const progressPath = (folder: string): string => join(folder, 'progress.json')

const savedProgress = (folder: string): DecideProgress =>
  existsSync(progressPath(folder)) ? DecideProgress.parse(JSON.parse(readFileSync(progressPath(folder), 'utf8'))) : NONE

/** Replaces the file at once, so that it is never incomplete. */
function save(folder: string, progress: DecideProgress): void {
  writeFileSync(`${progressPath(folder)}.new`, JSON.stringify(progress))
  renameSync(`${progressPath(folder)}.new`, progressPath(folder))
}

async function restoreState(options: DecideOptions, progress: DecideProgress): Promise<DecideState> {
  if (progress.articles === 0) return options.stage.memory.empty()
  new ChangelogFile(changelogPath(options.folder), progress.changelogBytes).close()
  const state = await stateAt(progress.changelogBytes, options)
  options.onProgress(progress)
  return state
}

/** The state after the first bytes of the changelog. */
export async function stateAt(
  bytes: number,
  { stage, codec, folder }: Pick<DecideOptions, 'stage' | 'codec' | 'folder'>,
): Promise<DecideState> {
  let state = stage.memory.empty()
  for await (const { key, value, at } of readChangelogFile(changelogPath(folder))) {
    if (at >= bytes) break
    const read = value === null ? null : await codec.decode(stage.memory.changelog, value)
    if (read?.kind === 'malformed') throw new Error(`${folder} holds a changelog that cannot be read: ${read.reason}`)
    state = stage.memory.evolve(state, { key, value: read?.event ?? null })
  }
  return state
}

/** The story chosen for a sample: `null` if it opens one. A copy is assigned without a score. */
export const SampledChoice = z.object({
  index: z.number(),
  rule: z.string(),
  story: z.string().nullable(),
})
export type SampledChoice = z.infer<typeof SampledChoice>

/**
 * Decides the articles that follow, each with the same state, so that an exhaustive search can compare all of them in
 * one pass.
 */
export function sampledChoices(
  { stage, world, articles }: Pick<DecideOptions, 'stage' | 'world' | 'articles'>,
  state: DecideState,
): SampledChoice[] {
  return inputsBetween(world, articles, world.articles).map((input) => {
    const decided = stage.decide(state, input)
    const [event]: readonly (ArticleClustered | undefined)[] = decided.kind === 'emit' ? decided.events : []
    if (event === undefined) throw new Error('The clusterer did not place an article of the bench')
    const { rule, chosen } = event.decision
    return { index: input.place.offset, rule, story: chosen?.cluster_id ?? null }
  })
}

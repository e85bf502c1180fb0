import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { articlesIngested } from '../../events/articles.ts'
import { withLog } from '../../operations/topics.ts'
import { type Cli, runCli } from './service.ts'

/** What to do about the sample. `at`: the time that its dates are relative to, as ISO 8601; `null` without a sample. */
export interface SamplePlan {
  /** `skipped`: the log already contains other articles. `present`: everything was published before. */
  readonly kind: 'import' | 'stream' | 'present' | 'skipped' | 'none'
  readonly at: string | null
}

const sampleFiles = (home: string) => ({
  begun: join(home, 'sample-import-begun'),
  imported: join(home, 'sample-imported'),
  streamed: join(home, 'sample-streamed'),
})

/** Each of the three files contains the time, so that an interrupted import continues with the same dates. */
export async function planSample(
  home: string,
  { brokers, now }: { readonly brokers: readonly string[]; readonly now: number },
): Promise<SamplePlan> {
  const { begun, imported, streamed } = sampleFiles(home)
  if (existsSync(streamed)) return { kind: 'present', at: timeIn(streamed) }
  if (existsSync(imported)) {
    const at = timeIn(imported)
    return { kind: at === null ? 'present' : 'stream', at } // earlier versions imported a sample without dates
  }
  if (existsSync(begun)) return { kind: 'import', at: timeIn(begun) ?? new Date(now).toISOString() }
  return (await logIsEmpty(brokers))
    ? { kind: 'import', at: new Date(now).toISOString() }
    : { kind: 'skipped', at: null }
}

const timeIn = (file: string): string | null => readFileSync(file, 'utf8').trim() || null

interface SampleOptions {
  readonly home: string
  readonly plan: SamplePlan
  readonly signal: AbortSignal
  /** Called when all articles dated before `plan.at` can be queried. */
  readonly onImported: () => Promise<void>
}

/** Imports the sample and streams its last part. Resolves when that has ended, after about two hours. */
export async function importSample(cli: Cli, { home, plan, signal, onImported }: SampleOptions): Promise<void> {
  const { begun, imported, streamed } = sampleFiles(home)
  const command = ['import', 'sample', '--at', plan.at ?? '']
  if (plan.kind === 'import') {
    writeFileSync(begun, plan.at ?? '')
    await runCli(cli, [...command, '--wait', '--no-stream'], signal)
    await onImported() // before the rename: an interrupted import repeats it
    renameSync(begun, imported)
  }
  if (plan.kind !== 'import' && plan.kind !== 'stream') return
  await runCli(cli, [...command, '--no-past'], signal)
  renameSync(imported, streamed)
}

const logIsEmpty = (brokers: readonly string[]): Promise<boolean> =>
  withLog({ brokers, clientId: 'story-up' }, async (log) =>
    (await log.ends(articlesIngested.name)).every((end) => end === 0),
  )

import { besideName } from '../../adapters/beside-log.ts'
import { leaseGroup } from '../../runtime/lease.ts'
import { agreement, type Agreement } from './agreement.ts'
import { whileBeside, type RunBesidePorts, type RunningShadow, type ShadowRun } from './run-beside.ts'
import { compareResults } from './results.ts'
import { resultsOf } from './outputs.ts'
import type { ReprocessReport, ReprocessTotals } from './report.ts'
import type { Reprocessed } from './stages.ts'
import { storiesNow, type ReprocessedStories } from './stories.ts'
import { switchResults } from './switch-results.ts'
import { switchState } from './switch-state.ts'
import { switchStories } from './switch-stories.ts'

/** A request to reprocess a stage. */
export interface ReprocessRequest extends ShadowRun {
  /**
   * `compare` changes no live data; `switch` fails if too many articles change their story; `accept` switches
   * regardless.
   */
  readonly mode: 'compare' | 'switch' | 'accept'
}

/** Minimum share of article pairs that must stay in their story. Prevents an accidental switch. */
const MIN_KEPT_SHARE = 0.98

/** Stages whose whole state is replaced by that of the new version. */
const STATE_REPLACED: readonly string[] = ['linked', 'transitioned', 'detected', 'matched', 'enriched']

/** Runs the new version to the end of the log, compares it with the live one, and switches if requested. */
export async function reprocessStage(request: ReprocessRequest, ports: RunBesidePorts): Promise<ReprocessReport> {
  const { stage } = request
  const report = await whileBeside(request, ports, (shadow) => compareAndSwitch(request, shadow, ports))
  return { ...report, dropped: report.switched === null ? 0 : await dropBeside(stage, ports) }
}

async function compareAndSwitch(
  request: ReprocessRequest,
  shadow: RunningShadow,
  ports: RunBesidePorts,
): Promise<ReprocessReport> {
  const { stage, mode } = request
  const isContinued = mode !== 'compare' && STATE_REPLACED.includes(stage.name)
  if (!isContinued) await shadow.stop()
  ports.progress.print(`comparing the old and new results of ${stage.name}`)
  if (stage.name === 'clustered') return stories(request, ports)
  return results(request, ports, (version) =>
    isContinued ? switchState({ stage, version, shadow }, ports) : switchedResults(stage, ports),
  )
}

const switchedResults = async (stage: Reprocessed, ports: RunBesidePorts): Promise<ReprocessTotals> => ({
  events: await switchResults(stage, ports),
  entries: 0,
  attempts: 0,
  took_ms: 0,
})

/** Deletes the topics and offsets of a shadow run. Returns the number of topics. */
export async function dropBeside({ name, writes }: Reprocessed, { topics, log }: RunBesidePorts): Promise<number> {
  if (await topics.isAtWork(name)) throw new Error(`${name} is being reprocessed. Stop that run before --drop`)
  await log.forget(besideName(name))
  await log.forget(leaseGroup(name))
  return topics.drop(writes)
}

async function results(
  { stage, mode, version }: ReprocessRequest,
  ports: RunBesidePorts,
  switching: (version: string) => Promise<ReprocessTotals>,
): Promise<ReprocessReport> {
  const [before, after] = [await resultsOf(stage, 'before', ports), await resultsOf(stage, 'after', ports)]
  const found = {
    ...NOTHING,
    ...named(stage, before.versions, after.versions),
    results: compareResults(before.results, after.results),
  }
  if (mode === 'compare') return found
  return { ...found, switched: await switching(version ?? found.versions_after[0] ?? '') }
}

async function stories(request: ReprocessRequest, ports: RunBesidePorts): Promise<ReprocessReport> {
  const { stage, mode } = request
  const partitions = await storiesNow(ports)
  const versionsOf = (of: 'before' | 'after') => new Set(partitions.flatMap(({ versions }) => [...versions[of]]))
  const versions = named(stage, versionsOf('before'), versionsOf('after'))
  const version = versions.versions_after[0] ?? ''
  const agreed = agreement(partitions.flatMap((one) => one.switched(version)))
  const found = { ...NOTHING, ...versions, stories: agreed }
  if (mode === 'compare') return found
  if (mode === 'switch' && agreed.kept_share < MIN_KEPT_SHARE) return { ...found, held: tooFew(agreed) }
  return { ...found, switched: await switchAll(partitions, { version, reads: stage.reads }, ports) }
}

const tooFew = ({ kept_share }: Agreement): string =>
  `only ${(100 * kept_share).toFixed(2)} % of the article pairs stay in one story, ${100 * MIN_KEPT_SHARE} % are required; ` +
  'check the stories, then use --accept'

async function switchAll(
  partitions: readonly ReprocessedStories[],
  how: { readonly version: string; readonly reads: readonly string[] },
  ports: RunBesidePorts,
): Promise<ReprocessTotals> {
  const totals = { events: 0, entries: 0, attempts: 0, took_ms: 0 }
  for (const stories of partitions) {
    const onAttempt = (attempt: number): void =>
      ports.progress.print(`switching partition ${stories.partition}, attempt ${attempt}`)
    const { events, entries, attempts, took_ms } = await switchStories(stories, { ...how, onAttempt }, ports)
    totals.events += events
    totals.entries += entries
    totals.attempts += attempts
    totals.took_ms = Math.max(totals.took_ms, took_ms)
  }
  ports.progress.end()
  return totals
}

/** Throws if the shadow run was resumed with a different version. */
function named(
  { name, output }: Reprocessed,
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): Pick<ReprocessReport, 'stage' | 'versions_before' | 'versions_after'> {
  const versions_after = [...after]
  if (versions_after.length > 1) {
    const held = versions_after.join(' and ')
    throw new Error(
      `${besideName(output.name)} contains results of versions ${held}. Delete them (story reprocess ${name} --drop) and run again`,
    )
  }
  return { stage: name, versions_before: [...before], versions_after }
}

const NOTHING = { stories: null, results: null, switched: null, held: null, dropped: 0 } as const

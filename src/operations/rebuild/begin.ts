import { migrate } from '../../views/migrate.ts'
import { checkExchangeable, isInPlace } from './exchange.ts'
import { REBUILT, type RebuiltView } from './rebuilt-tables.ts'
import { keepState, prepareStates, stateOf, type Exchanging, type RebuildState } from './state.ts'
import { rebuildGroup } from './follow.ts'
import { checkCompleteTopics } from './cleanups.ts'
import type { RebuildParts, Rebuilt } from './rebuilding.ts'

/** The remaining work of a rebuild. */
export type RemainingWork =
  { readonly kind: 'read'; readonly since: string } | { readonly kind: 'catch up'; readonly state: Exchanging }

/** Creates the shadow database with all its tables, and the table of rebuild states. */
export async function prepare(ports: RebuildParts): Promise<void> {
  await checkExchangeable(ports.live, ports.sides)
  await migrate(ports.shadow, ports)
  await prepareStates(ports.shadow)
}

/** Resumes an interrupted rebuild, or empties the view's shadow tables and starts from the beginning. */
export async function beginOrResume(
  rebuilt: Rebuilt,
  ports: RebuildParts,
  restart: 'go on' | 'restart',
): Promise<RemainingWork> {
  const state = await stateOf(ports.shadow, rebuilt.name)
  const remaining = state === null ? null : await remainingWork(rebuilt, state, ports)
  if (remaining?.kind === 'catch up' || (remaining !== null && restart === 'go on')) return remaining
  return begin(rebuilt, ports)
}

async function remainingWork(
  { name }: Rebuilt,
  state: RebuildState,
  { live, sides }: RebuildParts,
): Promise<RemainingWork | null> {
  switch (state.phase) {
    case 'reading':
      return { kind: 'read', since: state.since }
    case 'exchanging':
      // before the first table is exchanged, the shadow is still complete
      return (await isInPlace(live, sides, state.exchange.tables))
        ? { kind: 'catch up', state }
        : { kind: 'read', since: state.since }
    case 'returning':
      throw new Error(`The rollback of ${name} was interrupted. Complete it with \`story rebuild ${name} --rollback\``)
    case 'clearing':
    case 'exchanged':
    case 'returned':
      return null
  }
}

async function begin({ name }: Rebuilt, ports: RebuildParts): Promise<RemainingWork> {
  await checkCompleteTopics([name], ports.running.log)
  const since = await clear(name, ports)
  await keepState(ports.shadow, name, { phase: 'reading', since })
  return { kind: 'read', since }
}

/** Empties the shadow tables of a view. Returns the start time, ISO 8601. */
export async function clear(name: RebuiltView, ports: RebuildParts): Promise<string> {
  const since = new Date(ports.running.clock.now()).toISOString()
  await keepState(ports.shadow, name, { phase: 'clearing', since })
  await deleteOffsets(name, ports)
  for (const { table } of REBUILT[name]) await ports.shadow.command(`TRUNCATE TABLE ${ports.sides.shadow}.${table}`)
  return since
}

/** Longer than the log may take to notice that a consumer has died. */
const MAX_WAIT_MS = 90_000
const POLL_EVERY_MS = 500

/** Deletes the group's offsets. A consumer that was killed stays in the group until its session expires. */
async function deleteOffsets(view: string, { running, progress, scope }: RebuildParts): Promise<void> {
  const { log, clock } = running
  const until = clock.now() + MAX_WAIT_MS
  for (;;) {
    try {
      await log.forget(rebuildGroup(view, scope.name))
      return
    } catch (cause) {
      if (clock.now() > until) throw cause
      progress.update(() => 'waiting until Kafka removes the consumer of an earlier rebuild')
    }
    await clock.sleep(POLL_EVERY_MS)
  }
}

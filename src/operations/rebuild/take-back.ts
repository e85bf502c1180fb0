import { forgetState, stateOf, type Exchanging, type RebuildState } from './state.ts'
import { REBUILT_VIEWS } from './rebuilt-tables.ts'
import { clear, prepare } from './begin.ts'
import { whileClaimed } from './claim.ts'
import { exchangeBack } from './one-view.ts'
import type { ReadAgain } from './reread.ts'
import { hasShadow, type RebuildParts, type Rebuilt } from './rebuilding.ts'

/** Makes the replaced tables live again, and writes the records logged since then to them. */
export async function rollBack(views: readonly Rebuilt[], ports: RebuildParts): Promise<readonly ReadAgain[]> {
  await prepare(ports)
  return whileClaimed(namesOf(views), ports, async () => {
    const states = await Promise.all(
      views.map(async (rebuilt) => ({ rebuilt, state: await replacedBy(rebuilt, ports) })),
    )
    const taken: ReadAgain[] = []
    for (const { rebuilt, state } of states) {
      taken.push({ view: rebuilt.name, read_again: await exchangeBack(rebuilt, state, ports) })
    }
    ports.progress.end()
    return taken
  })
}

/** The shadow of a live view. */
export interface RetiredView {
  readonly view: string
  /** `exchanged`: the shadow has the tables that the last rebuild replaced; `null` if there is no rebuild. */
  readonly phase: RebuildState['phase'] | null
  readonly since: string | null
}

/** What can be rolled back or dropped; changes nothing. */
export async function retiredViews(views: readonly Rebuilt[], ports: RebuildParts): Promise<readonly RetiredView[]> {
  const exists = await hasShadow(ports)
  return Promise.all(
    views.map(async ({ name }) => {
      const state = exists ? await stateOf(ports.shadow, name) : null
      return { view: name, phase: state?.phase ?? null, since: state?.since ?? null }
    }),
  )
}

async function replacedBy({ name }: Rebuilt, { shadow }: RebuildParts): Promise<Exchanging> {
  const state = await stateOf(shadow, name)
  if (state !== null && 'exchange' in state && state.phase !== 'returned') return state
  throw new Error(
    `Nothing to roll back for ${name}: no rebuild has replaced its tables, or they are already rolled back`,
  )
}

/** Drops the replaced tables and the tables of interrupted rebuilds. Returns the names of the views. */
export async function drop(views: readonly Rebuilt[], ports: RebuildParts): Promise<readonly string[]> {
  await prepare(ports)
  return whileClaimed(namesOf(views), ports, async () => {
    for (const { name } of views) {
      const state = await stateOf(ports.shadow, name)
      if (state?.phase === 'exchanging' || state?.phase === 'returning') {
        throw new Error(
          `The swap of ${name} was interrupted. Complete it first with \`story rebuild ${name}\` or --rollback`,
        )
      }
    }
    for (const { name } of views) {
      await clear(name, ports)
      await forgetState(ports.shadow, name)
    }
    if (views.length === REBUILT_VIEWS.length)
      await ports.live.command(`DROP DATABASE IF EXISTS ${ports.sides.shadow} SYNC`)
    return namesOf(views)
  })
}

const namesOf = (views: readonly Rebuilt[]): Rebuilt['name'][] => views.map(({ name }) => name)

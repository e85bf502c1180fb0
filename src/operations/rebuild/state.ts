import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import type { RebuiltView } from './rebuilt-tables.ts'

const Offsets = z.record(z.string(), z.array(z.number()).readonly()).readonly()

const ExchangedTable = z.object({
  table: z.string(),
  /** UUIDs of the rebuilt table and of the table it replaces, which do not change with the name. */
  rebuilt: z.string(),
  replaced: z.string(),
})
export type ExchangedTable = z.infer<typeof ExchangedTable>

const Exchange = z.object({
  tables: z.array(ExchangedTable).readonly(),
  /** Position up to which the rebuilt tables were complete at the time of the exchange. */
  rebuiltUpTo: Offsets,
  /** The same for the replaced tables. */
  replacedUpTo: Offsets,
})

/**
 * The phase of a rebuild. `clearing`: the content of the shadow is invalid; `reading`: resumes from the group's
 * offsets; `exchanging` and `returning`: the tables are being exchanged or exchanged back, and records logged meanwhile
 * are written again; `exchanged` and `returned`: done.
 */
const RebuildState = z.discriminatedUnion('phase', [
  z.object({ phase: z.enum(['clearing', 'reading']), since: z.string() }),
  z.object({
    phase: z.enum(['exchanging', 'exchanged', 'returning', 'returned']),
    since: z.string(),
    exchange: Exchange,
  }),
])
export type RebuildState = z.infer<typeof RebuildState>
export type Exchanging = Extract<RebuildState, { readonly exchange: unknown }>

const STATES = 'rebuilds'

export async function prepareStates(shadow: Store): Promise<void> {
  await shadow.command(`CREATE TABLE IF NOT EXISTS ${STATES}
    (view String, state String, at DateTime64(6, 'UTC') DEFAULT now64(6))
    ENGINE = ReplacingMergeTree(at) ORDER BY view`)
}

/** `null` if the view was never rebuilt, or the rebuild was dropped. */
export async function stateOf(shadow: Store, view: RebuiltView): Promise<RebuildState | null> {
  const [found] = await shadow.query({
    name: 'rebuild.state',
    sql: `SELECT state FROM ${STATES} FINAL WHERE view = {view: String} AND state != ''`,
    params: { view },
    parse: (row) => RebuildState.parse(JSON.parse(z.object({ state: z.string() }).parse(row).state)),
  })
  return found ?? null
}

export async function keepState(shadow: Store, view: RebuiltView, state: RebuildState): Promise<void> {
  await shadow.insert(STATES, [{ view, state: JSON.stringify(state) }])
}

export async function forgetState(shadow: Store, view: RebuiltView): Promise<void> {
  await shadow.insert(STATES, [{ view, state: '' }])
}

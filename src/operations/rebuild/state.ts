import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import type { RebuiltView } from './rebuilt-tables.ts'

const Offsets = z.record(z.string(), z.array(z.number()).readonly()).readonly()

const ExchangedTable = z.object({
  table: z.string(),
  /** What names it for good, whatever name it has: of the one that was rebuilt, and of the one it replaces. */
  rebuilt: z.string(),
  replaced: z.string(),
})
export type ExchangedTable = z.infer<typeof ExchangedTable>

const Exchange = z.object({
  tables: z.array(ExchangedTable).readonly(),
  /** Up to here the rebuilt tables were complete when they were exchanged. */
  rebuiltUpTo: Offsets,
  /** Up to here the replaced ones were. */
  replacedUpTo: Offsets,
})

/**
 * How far the rebuild of a view has got. `clearing`: what is in the shadow does not count; `reading`: it goes on from the
 * group's offsets; `exchanging` and `returning`: the tables are being put in or taken back, and what was written meanwhile is
 * read again; `exchanged` and `returned`: done.
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

/** Null: it was never rebuilt, or what was is dropped. */
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

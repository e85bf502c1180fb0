import { hostname } from 'node:os'
import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import type { RebuiltView } from './rebuilt-tables.ts'
import { mapConcurrently } from './at-once.ts'
import type { RebuildParts } from './rebuilding.ts'

/** The process that runs a rebuild. */
export interface Holder {
  /** Hex digits, random for each process. */
  readonly id: string
  readonly host: string
  readonly pid: number
}

const ClaimRow = z.object({
  host: z.string(),
  pid: z.number(),
  /** When the claim was made, ISO 8601. */
  since: z.string(),
  /** Seconds since the last heartbeat, by the store's clock. */
  silentSeconds: z.number(),
})
/** A claim in the store, of this process or another. */
export type StandingClaim = Holder & z.infer<typeof ClaimRow>

/** A claim without a heartbeat for this long is taken over. */
const DEAD_AFTER_SECONDS = 20
const RENEW_EVERY_MS = 3_000

const claimOf = (view: RebuiltView): string => `claim_${view}`

/**
 * Claims the rebuild of a view, in the shadow database. Creating a table is atomic, so only one process succeeds; the
 * comment of the table has its id. Returns the claim of another holder, or `null` if the claim is ours.
 */
async function claim(shadow: Store, view: RebuiltView, holder: Holder): Promise<StandingClaim | null> {
  await shadow.command(`CREATE TABLE IF NOT EXISTS ${claimOf(view)}
    (host String, pid UInt32, at DateTime64(3, 'UTC') DEFAULT now64(3))
    ENGINE = MergeTree ORDER BY at COMMENT '${holder.id}'`)
  const standing = await standingClaim(shadow, view)
  if (standing === null) return claim(shadow, view, holder) // released in between
  if (standing.id !== holder.id) return standing
  await renew(shadow, view, holder)
  return null
}

async function renew(shadow: Store, view: RebuiltView, { host, pid }: Holder): Promise<void> {
  await shadow.insert(claimOf(view), [{ host, pid }])
}

/** `null` if there is no claim. */
export async function standingClaim(shadow: Store, view: RebuiltView): Promise<StandingClaim | null> {
  const id = await ownerOf(shadow, view)
  if (id === null) return null
  const [found] = await shadow.query({
    name: 'rebuild.claim',
    sql: `SELECT anyLast(host) AS host, anyLast(pid) AS pid, min(at) AS since,
        toFloat64(now64(3)) - toFloat64(max(at)) AS silentSeconds
      FROM ${claimOf(view)} HAVING count() > 0`,
    params: {},
    parse: (one) => ClaimRow.parse(one),
  })
  // created but without a heartbeat: its creator is still starting, or died
  return found === undefined ? claimWithoutHeartbeat(shadow, view, id) : { id, ...found }
}

const tableSql = (columns: string) =>
  `SELECT ${columns} FROM system.tables WHERE database = currentDatabase() AND name = {name: String}`

async function ownerOf(shadow: Store, view: RebuiltView): Promise<string | null> {
  const [found] = await shadow.query({
    name: 'rebuild.claim.owner',
    sql: tableSql('comment'),
    params: { name: claimOf(view) },
    parse: (one) => z.object({ comment: z.string() }).parse(one),
  })
  return found?.comment ?? null
}

async function claimWithoutHeartbeat(shadow: Store, view: RebuiltView, id: string): Promise<StandingClaim | null> {
  const [found] = await shadow.query({
    name: 'rebuild.claim.made',
    sql: tableSql("metadata_modification_time AS since, dateDiff('second', metadata_modification_time, now()) AS age"),
    params: { name: claimOf(view) },
    parse: (one) => z.object({ since: z.string(), age: z.number() }).parse(one),
  })
  return found === undefined ? null : { id, host: '', pid: 0, since: found.since, silentSeconds: found.age }
}

/** Removes a dead claim. The new name is unique, so only one of several processes succeeds. Throws for the others. */
async function removeDeadClaim(shadow: Store, view: RebuiltView, { id }: StandingClaim): Promise<void> {
  await shadow.command(`RENAME TABLE ${claimOf(view)} TO dead_${view}_${id}`)
}

/** Throws if another process has taken over the claim and so works on the same tables. */
export async function checkClaim(shadow: Store, view: RebuiltView, { id }: Holder): Promise<void> {
  if ((await ownerOf(shadow, view)) === id) return
  throw new Error(
    `Another process has taken over the rebuild of ${view}, because this one sent no heartbeat for too long`,
  )
}

async function release(shadow: Store, view: RebuiltView, { id }: Holder): Promise<void> {
  if ((await ownerOf(shadow, view)) === id) await shadow.command(`DROP TABLE IF EXISTS ${claimOf(view)} SYNC`)
}

/**
 * Runs `work` while holding the claims of some views. Throws an error that names the holder if another process has one.
 */
export async function whileClaimed<Result>(
  views: readonly RebuiltView[],
  ports: RebuildParts,
  work: () => Promise<Result>,
): Promise<Result> {
  const claimed: RebuiltView[] = []
  const beat = setInterval(() => {
    for (const view of claimed) renew(ports.shadow, view, ports.holder).catch(() => undefined) // the next may succeed
  }, RENEW_EVERY_MS)
  try {
    const take = async (view: RebuiltView): Promise<void> => {
      await claimOrTakeOver(view, ports)
      claimed.push(view)
    }
    // The first claim alone: of two processes that start together, the one that gets it also gets all the others.
    await mapConcurrently(views.slice(0, 1), take)
    await mapConcurrently(views.slice(1), take)
    return await work()
  } finally {
    clearInterval(beat)
    await mapConcurrently(claimed, async (view) => {
      await release(ports.shadow, view, ports.holder).catch(() => undefined)
    })
  }
}

async function claimOrTakeOver(view: RebuiltView, ports: RebuildParts): Promise<void> {
  const first = await claim(ports.shadow, view, ports.holder)
  if (first === null) return
  if (!isDead(first)) throw new Error(claimedMessage(view, first))
  ports.progress.print(`taking over the rebuild of ${view} from a process that no longer runs`)
  // only one of several processes succeeds; the others find a new claim
  await removeDeadClaim(ports.shadow, view, first).catch(() => undefined)
  const second = await claim(ports.shadow, view, ports.holder)
  if (second !== null) throw new Error(claimedMessage(view, second))
}

const claimedMessage = (view: RebuiltView, { host, pid, since }: StandingClaim): string =>
  `Process ${pid} on ${host === '' ? 'an unknown host' : host} has been rebuilding ${view} since ${since}. Wait for it, or stop it and start again after ${DEAD_AFTER_SECONDS} s`

const isDead = (standing: StandingClaim): boolean =>
  standing.silentSeconds > DEAD_AFTER_SECONDS || (standing.host === hostname() && !isRunning(standing.pid))

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM'
  }
}

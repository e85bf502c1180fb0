import { hostname } from 'node:os'
import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import type { RebuiltView } from './rebuilt-tables.ts'
import { someAtOnce } from './at-once.ts'
import type { RebuildParts } from './rebuilding.ts'

/** Who is at a rebuild. */
export interface Holder {
  /** Hex digits, made again for each process that tries. */
  readonly id: string
  readonly host: string
  readonly pid: number
}

const ClaimRow = z.object({
  host: z.string(),
  pid: z.number(),
  /** When it was made, ISO 8601. */
  since: z.string(),
  /** Since when it was not renewed, seconds by the store's clock. */
  silentSeconds: z.number(),
})
/** Somebody's claim, as the store knows it. */
export type StandingClaim = Holder & z.infer<typeof ClaimRow>

/** A claim that is not renewed for so long is taken over. */
const DEAD_AFTER_SECONDS = 20
const RENEW_EVERY_MS = 3_000

const claimOf = (view: RebuiltView): string => `claim_${view}`

/**
 * Claims the rebuild of a view, in the database of the shadow. A table can be created once, however many try at the same moment:
 * its comment says who made it. Answers the claim of another holder, `null` if it is ours.
 */
async function claim(shadow: Store, view: RebuiltView, holder: Holder): Promise<StandingClaim | null> {
  await shadow.command(`CREATE TABLE IF NOT EXISTS ${claimOf(view)}
    (host String, pid UInt32, at DateTime64(3, 'UTC') DEFAULT now64(3))
    ENGINE = MergeTree ORDER BY at COMMENT '${holder.id}'`)
  const standing = await standingClaim(shadow, view)
  if (standing === null) return claim(shadow, view, holder) // it went between the two
  if (standing.id !== holder.id) return standing
  await renew(shadow, view, holder)
  return null
}

async function renew(shadow: Store, view: RebuiltView, { host, pid }: Holder): Promise<void> {
  await shadow.insert(claimOf(view), [{ host, pid }])
}

/** Null: nobody is at it. */
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
  // made, and not signed: its maker is at it this moment, or died there
  return found === undefined ? unsigned(shadow, view, id) : { id, ...found }
}

const made = (columns: string) =>
  `SELECT ${columns} FROM system.tables WHERE database = currentDatabase() AND name = {name: String}`

async function ownerOf(shadow: Store, view: RebuiltView): Promise<string | null> {
  const [found] = await shadow.query({
    name: 'rebuild.claim.owner',
    sql: made('comment'),
    params: { name: claimOf(view) },
    parse: (one) => z.object({ comment: z.string() }).parse(one),
  })
  return found?.comment ?? null
}

async function unsigned(shadow: Store, view: RebuiltView, id: string): Promise<StandingClaim | null> {
  const [found] = await shadow.query({
    name: 'rebuild.claim.made',
    sql: made("metadata_modification_time AS since, dateDiff('second', metadata_modification_time, now()) AS age"),
    params: { name: claimOf(view) },
    parse: (one) => z.object({ since: z.string(), age: z.number() }).parse(one),
  })
  return found === undefined ? null : { id, host: '', pid: 0, since: found.since, silentSeconds: found.age }
}

/** Takes a dead claim away. Of several that try one succeeds: the name that it gets is given once. Throws for the others. */
async function takeAway(shadow: Store, view: RebuiltView, { id }: StandingClaim): Promise<void> {
  await shadow.command(`RENAME TABLE ${claimOf(view)} TO dead_${view}_${id}`)
}

/** Throws when another process has taken the claim over: it works on the tables that we meant to change. */
export async function stillOurs(shadow: Store, view: RebuiltView, { id }: Holder): Promise<void> {
  if ((await ownerOf(shadow, view)) === id) return
  throw new Error(
    `Another process has taken over the rebuild of ${view}, because this one sent no heartbeat for too long`,
  )
}

async function release(shadow: Store, view: RebuiltView, { id }: Holder): Promise<void> {
  if ((await ownerOf(shadow, view)) === id) await shadow.command(`DROP TABLE IF EXISTS ${claimOf(view)} SYNC`)
}

/** Works on some views while nobody else does. Throws, and says who is at it and since when, where somebody is. */
export async function whileClaimed<Result>(
  views: readonly RebuiltView[],
  ports: RebuildParts,
  work: () => Promise<Result>,
): Promise<Result> {
  const claimed: RebuiltView[] = []
  const beat = setInterval(() => {
    for (const view of claimed) renew(ports.shadow, view, ports.holder).catch(() => undefined) // the next one may do
  }, RENEW_EVERY_MS)
  try {
    const take = async (view: RebuiltView): Promise<void> => {
      await claimOrTakeOver(view, ports)
      claimed.push(view)
    }
    // the first alone: of two that begin together one then has it, and with it all of them
    await someAtOnce(views.slice(0, 1), take)
    await someAtOnce(views.slice(1), take)
    return await work()
  } finally {
    clearInterval(beat)
    await someAtOnce(claimed, async (view) => {
      await release(ports.shadow, view, ports.holder).catch(() => undefined)
    })
  }
}

async function claimOrTakeOver(view: RebuiltView, ports: RebuildParts): Promise<void> {
  const first = await claim(ports.shadow, view, ports.holder)
  if (first === null) return
  if (!isDead(first)) throw new Error(said(view, first))
  ports.progress.print(`taking over the rebuild of ${view} from a process that no longer runs`)
  // of several that try, one succeeds: the others meet a claim again
  await takeAway(ports.shadow, view, first).catch(() => undefined)
  const second = await claim(ports.shadow, view, ports.holder)
  if (second !== null) throw new Error(said(view, second))
}

const said = (view: RebuiltView, { host, pid, since }: StandingClaim): string =>
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

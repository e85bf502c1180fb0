import { hostname } from 'node:os'
import { claim, DEAD_AFTER_SECONDS, release, RENEW_EVERY_MS, renew, takeAway, type StandingClaim } from './claim.ts'
import type { RebuiltView } from './rebuilt-tables.ts'
import { someAtOnce } from './at-once.ts'
import type { RebuildParts } from './rebuilding.ts'

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
  if (first.kind === 'ours') return
  if (!isDead(first.standing)) throw new Error(said(view, first.standing))
  ports.progress.print(`taking over the rebuild of ${view} from a process that no longer runs`)
  // of several that try, one succeeds: the others meet a claim again
  await takeAway(ports.shadow, view, first.standing).catch(() => undefined)
  const second = await claim(ports.shadow, view, ports.holder)
  if (second.kind === 'theirs') throw new Error(said(view, second.standing))
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

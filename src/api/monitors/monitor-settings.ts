import pLimit from 'p-limit'
import { monitorsChanged, type MonitorChanged } from '../../events/monitors.ts'
import type { Tier } from '../../events/settings.ts'
import { webhooksDelivered, type WebhookDelivered } from '../../events/webhooks.ts'
import { encodedRecords } from '../../ports/encoded-records.ts'
import { UpToDate } from '../../state/settings/book.ts'
import { changeSetting, TooManyAtOnce } from '../../state/settings/change-setting.ts'
import { MonitorBook } from '../../state/settings/monitors.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { EngineUnavailable } from '../http/engine-deadline.ts'
import { type Caller, maySee } from '../http/keys/caller.ts'
import { isProblem, problem, type Problem } from '../http/problem.ts'

type MonitorSettingsPorts = Pick<Dependencies, 'log' | 'codec' | 'clock' | 'logger' | 'monitorsPerNamespace'>

/** The monitors in their latest state in the log, regardless of which instance wrote them. Deleted ones are left out. */
export interface MonitorSettings {
  /** The monitors that the caller may see, oldest first. */
  of(caller: Caller): Promise<readonly MonitorChanged[]>
  find(id: string, caller: Caller): Promise<MonitorChanged | Problem>
  /** Resolves when the log has the monitor and the first messages to its channels. */
  add(added: AddedMonitor, caller: Caller): Promise<MonitorChanged | Problem>
  /** Resolves when the log has the change. Concurrent changes are not lost. */
  change(id: string, caller: Caller, become: BecomeMonitor): Promise<MonitorChanged | Problem>
  remove(id: string, caller: Caller, now: number): Promise<Problem | null>
  /** For links in e-mails, whose token was checked. */
  linked(id: string): Promise<MonitorChanged | null>
  /** For feed readers: the state of at most a second ago, so that they cost at most one read of the log per second. */
  ofFeed(id: string): Promise<MonitorChanged | null>
  /** For links in e-mails, whose token was checked. */
  changeLinked(id: string, become: BecomeMonitor): Promise<MonitorChanged | Problem>
}

/** May be called again on top of a concurrent change, so it must be idempotent. */
export type BecomeMonitor = (found: MonitorChanged) => MonitorChanged

/** Finds the monitor that an earlier request with the same `Idempotency-Key` created; `null` if there is none. */
export type FindExistingMonitor = (mine: readonly MonitorChanged[]) => MonitorChanged | Problem | null

interface AddedMonitor {
  readonly monitor: MonitorChanged
  /** Messages to its channels, written together with it. */
  readonly messages: readonly WebhookDelivered[]
  readonly findExisting: FindExistingMonitor
}

/** Monitors of a key and the keys rotated from one another with it, by its tier. */
export const MOST_MONITORS: Readonly<Record<Tier, number>> = { starter: 10, professional: 100, enterprise: 1_000 }

const FEED_MS = 1_000

export function monitorSettings(ports: MonitorSettingsPorts): MonitorSettings {
  const { log, codec, logger, monitorsPerNamespace } = ports
  const onStrange = (offsets: readonly number[]): void => logger.error({ offsets }, 'monitors_not_understood')
  const known = new UpToDate(new MonitorBook(), { ...ports, onStrange })
  const now = (): Promise<MonitorBook> => readable(() => known.now())
  const exclusively = pLimit(1)

  const findIn = (book: MonitorBook, id: string, isVisible: (found: MonitorChanged) => boolean) => {
    const found = book.get(id)
    return found !== null && isLive(found) && isVisible(found) ? found : null
  }
  const changed = (id: string, isVisible: (found: MonitorChanged) => boolean, become: BecomeMonitor) =>
    exclusively(async () => {
      if (findIn(await now(), id, isVisible) === null) return notFound(id)
      const done = await changeSetting(id, surviving(id, become), { log, codec, known: { now } }).catch(unavailable)
      if (isProblem(done)) return done
      return done.setting ?? notFound(id)
    })
  const changedLive = async (id: string, isVisible: (found: MonitorChanged) => boolean, become: BecomeMonitor) => {
    const done = await changed(id, isVisible, become)
    return isProblem(done) || isLive(done) ? done : notFound(id)
  }

  return {
    of: async (caller) => visibleIn(await now(), caller),
    find: async (id, caller) => findIn(await now(), id, (found) => maySee(found, caller)) ?? notFound(id),
    add: ({ monitor, messages, findExisting }, caller) =>
      exclusively(async () => {
        const all = (await now()).of(caller.namespace).filter(isLive)
        const mine = all.filter((one) => maySee(one, caller))
        const existing = findExisting(mine)
        if (existing !== null) return existing
        const used = mine.filter(({ key_id }) => key_id === caller.owner).length
        if (used >= MOST_MONITORS[caller.tier]) return tooMany(used, caller.tier)
        if (all.length >= monitorsPerNamespace) return namespaceFull(caller.namespace, monitorsPerNamespace)
        await log.produce([
          ...(await encodedRecords(monitorsChanged, [monitor], codec)),
          ...(await encodedRecords(webhooksDelivered, messages, codec)),
        ])
        return monitor
      }),
    change: (id, caller, become) => changedLive(id, (found) => maySee(found, caller), become),
    remove: async (id, caller, at) => {
      const done = await changed(id, (found) => maySee(found, caller), deletedAt(at))
      return isProblem(done) ? done : null
    },
    linked: async (id) => findIn(await now(), id, () => true),
    ofFeed: async (id) => findIn(await readable(() => known.within(FEED_MS)), id, () => true),
    changeLinked: (id, become) => changedLive(id, () => true, become),
  }
}

/** A monitor that is deleted concurrently stays deleted: the change is repeated on top of the deletion and keeps it. */
const surviving = (id: string, become: BecomeMonitor) => ({
  refusal: (found: MonitorChanged | null): Problem | null => (found === null ? notFound(id) : null),
  become: (found: MonitorChanged): MonitorChanged => (isLive(found) ? become(found) : found),
})

/** The topic keeps every state, so a deletion is a record without anything secret. */
const deletedAt =
  (now: number): BecomeMonitor =>
  (found) => ({ ...found, status: 'deleted', channels: [], feed_token_hash: null, updated_at: now })

const isLive = ({ status }: MonitorChanged): boolean => status !== 'deleted'

const visibleIn = (book: MonitorBook, caller: Caller): readonly MonitorChanged[] =>
  book.of(caller.namespace).filter((one) => isLive(one) && maySee(one, caller))

const notFound = (id: string): Problem => problem('monitor_not_found', `Monitor not found: ${id}`)

const tooMany = (used: number, tier: Tier): Problem =>
  problem(
    'monitor_limit_reached',
    `Your key has ${used} monitors; the limit of a ${tier} key is ${MOST_MONITORS[tier]}. Delete one you no longer use.`,
  )

/** Limits the cost of one article, which is compared with every monitor of its namespace. */
const namespaceFull = (namespace: string, most: number): Problem =>
  problem(
    'monitor_limit_reached',
    `The namespace ${namespace} has the ${most} monitors it may have (MONITORS_PER_NAMESPACE). ` +
      'Delete one you no longer use, or ask the operator to raise the limit.',
  )

function unavailable(cause: unknown): never {
  throw cause instanceof TooManyAtOnce
    ? new EngineUnavailable('too many concurrent changes of a monitor', { cause })
    : cause
}

async function readable(read: () => Promise<MonitorBook>): Promise<MonitorBook> {
  try {
    return await read()
  } catch (cause) {
    throw cause instanceof EngineUnavailable
      ? cause
      : new EngineUnavailable('monitors.changed is not readable', { cause })
  }
}

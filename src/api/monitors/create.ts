import { SHARED } from '../../domain/intake/articles.ts'
import type { MonitorChanged } from '../../events/monitors.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { keyedRequest, randomId, type KeyedRequest } from '../http/idempotency.ts'
import { firstUnderKey, keyedSettingId, SETTING_ID_CHARACTERS } from '../http/keyed-setting.ts'
import type { Caller } from '../http/keys/caller.ts'
import { isProblem, type Problem } from '../http/problem.ts'
import type { CallContext } from '../http/route.ts'
import type { NewMonitor } from './body.ts'
import { confirmation, type ConfirmationLimit } from './confirmation.ts'
import type { FindExistingMonitor, MonitorSettings } from './monitor-settings.ts'
import { channelsProblem, isUnconfirmed, newChannel } from './new-channels.ts'

interface MonitorCreation {
  readonly path: string
  readonly body: NewMonitor
  /** The `Idempotency-Key`, if one was sent. */
  readonly key: string | undefined
}

const PREFIX = 'mon_'

/**
 * Creates monitors. Resolves when the log has stored the monitor and the messages that ask for confirmation of its
 * addresses. With an `Idempotency-Key` the id is derived from the key and the request, so that any instance finds the
 * monitor of an earlier request.
 */
export function creatingMonitors(dependencies: Dependencies, known: MonitorSettings, limit: ConfirmationLimit) {
  return async (creation: MonitorCreation, { caller, now }: CallContext): Promise<MonitorChanged | Problem> => {
    const { id, findExisting } = identity(creation, { caller, now }, dependencies)
    const existing = findExisting(await known.of(caller))
    if (existing !== null) return existing
    const { body } = creation
    const given = body.channels.map((channel, i) => ({ channel, path: `channels[${i}]` }))
    const refused = await channelsProblem(given, dependencies)
    if (refused !== null) return refused

    const monitor = newMonitor(body, { id, caller, now }, dependencies)
    const unconfirmed = monitor.channels.filter(isUnconfirmed)
    const tooMany = limit.spend(caller.owner, unconfirmed.length, now)
    if (tooMany !== null) return tooMany
    const messages = unconfirmed.map((channel) => confirmation({ monitor, channel, now }, dependencies))
    return known.add({ monitor, messages, findExisting }, caller)
  }
}

type Creator = Pick<CallContext, 'caller' | 'now'>

/** The id of the new monitor, and how to find the one of an earlier request with the same `Idempotency-Key`. */
function identity(
  { key, path, body }: MonitorCreation,
  { caller, now }: Creator,
  { jobSecret }: Pick<Dependencies, 'jobSecret'>,
): { readonly id: string; readonly findExisting: FindExistingMonitor } {
  if (key === undefined) return { id: PREFIX + randomId(SETTING_ID_CHARACTERS), findExisting: () => null }
  const request = keyedRequest(caller, { key, path, body, now }, jobSecret)
  return { id: keyedSettingId(PREFIX, request), findExisting: firstUnder(request) }
}

const firstUnder =
  (request: KeyedRequest): FindExistingMonitor =>
  (mine) => {
    const settings = mine.map((monitor) => ({ id: monitor.monitor_id, created_at: monitor.created_at, monitor }))
    const found = firstUnderKey(PREFIX, request, settings)
    return found === null || isProblem(found) ? found : found.monitor
  }

function newMonitor(
  body: NewMonitor,
  { id, caller, now }: { readonly id: string; readonly caller: Caller; readonly now: number },
  dependencies: Dependencies,
): MonitorChanged {
  const { channels, ...given } = body
  return {
    monitor_id: id,
    namespace: caller.namespace,
    owner: caller.namespace === SHARED ? caller.owner : '',
    key_id: caller.owner,
    ...given,
    conditions_version: 1,
    channels: channels.map((channel) => newChannel(channel, now, dependencies)),
    feed_token_hash: null,
    status: 'active',
    created_at: now,
    updated_at: now,
  }
}

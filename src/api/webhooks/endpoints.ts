import pLimit from 'p-limit'
import { webhooksChanged, type WebhookChanged } from '../../events/webhooks.ts'
import { changeSetting, TooManyAtOnce, type SettingChange } from '../../state/settings/change-setting.ts'
import { WebhookBook } from '../../state/settings/webhooks.ts'
import { UpToDate } from '../../state/settings/book.ts'
import { EngineUnavailable } from '../http/engine-deadline.ts'
import { append } from '../http/append.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { tierOf } from '../changes/change-schema.ts'
import { type Caller, includes, maySee } from '../http/keys/caller.ts'
import { isProblem, problem, type Problem } from '../http/problem.ts'

type EndpointsPorts = Pick<Dependencies, 'log' | 'codec' | 'clock' | 'logger' | 'webhooksPerNamespace'>

/** The endpoints in their latest state in the log, regardless of which instance wrote them. */
export interface Endpoints {
  /** The endpoints that the caller may see, oldest first. */
  of(caller: Caller): Promise<readonly WebhookChanged[]>
  find(id: string, caller: Caller): Promise<WebhookChanged | Problem>
  /** Resolves when the log has stored the endpoint; a problem if the limit is reached. */
  add(endpoint: WebhookChanged, caller: Caller, findExisting?: FindExisting): Promise<WebhookChanged | Problem>
  /** Returns the changed endpoint. Resolves when the log has stored it. Concurrent changes are not lost. */
  change(id: string, caller: Caller, change: EndpointsChange): Promise<WebhookChanged | Problem>
  remove(id: string, caller: Caller): Promise<Problem | null>
}

interface EndpointsChange {
  /** Why the endpoint may not be changed in this way; `null` if it may. */
  readonly refusal: (found: WebhookChanged) => Problem | null
  /** May be called twice; must be idempotent. */
  readonly become: (found: WebhookChanged) => WebhookChanged
}

/** Finds the endpoint that an earlier request with the same `Idempotency-Key` created; `null` if there is none. */
export type FindExisting = (mine: readonly WebhookChanged[]) => WebhookChanged | Problem | null

/** Per owner. In a private namespace, for the whole namespace. */
export const MOST_WEBHOOKS = 50

export function endpoints(ports: EndpointsPorts): Endpoints {
  const { log, codec, logger, webhooksPerNamespace } = ports
  const onStrange = (offsets: readonly number[]): void => logger.error({ offsets }, 'webhooks_not_understood')
  const known = new UpToDate(new WebhookBook(), { ...ports, onStrange })
  const exclusively = pLimit(1)

  const now = (): Promise<WebhookBook> => bookNow(known)
  const change = (id: string, change: SettingChange<WebhookChanged, Problem>) =>
    exclusively(async () => {
      try {
        return await changeSetting(id, change, { log, codec, known: { now } })
      } catch (cause) {
        throw cause instanceof TooManyAtOnce
          ? new EngineUnavailable('too many concurrent changes of a webhook', { cause })
          : cause
      }
    })

  return {
    of: async (caller) => (await now()).of(caller.namespace).filter((endpoint) => maySee(endpoint, caller)),
    find: async (id, caller) => {
      const found = (await now()).get(id)
      return found !== null && maySee(found, caller) ? found : notFound(id)
    },
    add: (endpoint, caller, findExisting = () => null) =>
      exclusively(async () => {
        const all = (await now()).of(caller.namespace)
        const mine = all.filter((one) => maySee(one, caller))
        const existing = findExisting(mine)
        if (existing !== null) return existing
        if (mine.length >= MOST_WEBHOOKS) return tooMany(mine.length)
        if (all.length >= webhooksPerNamespace) return namespaceFull(caller.namespace, webhooksPerNamespace)
        await append(webhooksChanged, [endpoint], ports)
        return endpoint
      }),
    change: async (id, caller, { refusal, become }) => {
      const changed = await change(id, {
        refusal: (found) => visibilityProblem(id, found, caller) ?? (found === null ? null : refusal(found)),
        become,
      })
      if (isProblem(changed)) return changed
      return changed.setting ?? notFound(id)
    },
    remove: async (id, caller) => {
      const changed = await change(id, { refusal: (found) => visibilityProblem(id, found, caller), become: () => null })
      return isProblem(changed) ? changed : null
    },
  }
}

const notFound = (id: string): Problem => problem('webhook_not_found', `Webhook not found: ${id}`)

/** `null` if the caller may see the endpoint. */
const visibilityProblem = (id: string, found: WebhookChanged | null, caller: Caller): Problem | null =>
  found !== null && maySee(found, caller) ? null : notFound(id)

const tooMany = (there: number): Problem =>
  problem(
    'webhook_limit_reached',
    `You have ${there} webhook endpoints; the limit is ${MOST_WEBHOOKS}. Delete one you no longer use.`,
  )

/** Limits the cost of one change, which may be sent to every endpoint of its namespace. */
const namespaceFull = (namespace: string, most: number): Problem =>
  problem(
    'webhook_limit_reached',
    `The namespace ${namespace} has the ${most} webhook endpoints it may have (WEBHOOKS_PER_NAMESPACE). ` +
      'Delete one you no longer use, or ask the operator to delete unused ones or to raise the limit.',
  )

/** The endpoints with everything that was in the log at the time of the call. One small request if nothing is new. */
async function bookNow(endpoints: UpToDate<WebhookBook>): Promise<WebhookBook> {
  try {
    return await endpoints.now()
  } catch (cause) {
    throw cause instanceof EngineUnavailable
      ? cause
      : new EngineUnavailable('webhooks.changed is not readable', { cause })
  }
}

/** `null` if the caller's tier includes all of these types. */
export function tierProblem(types: readonly string[], { tier }: Pick<Caller, 'tier'>): Problem | null {
  const beyond = types.find((type) => !includes(tier, tierOf(type)))
  return beyond === undefined
    ? null
    : problem('tier_restricted', `${beyond} requires a ${tierOf(beyond)} key; yours is ${tier}`)
}

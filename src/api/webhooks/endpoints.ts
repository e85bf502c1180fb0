import { SHARED } from '../../events/intake-rules.ts'
import { webhooksChanged, type WebhookChanged } from '../../events/webhooks.ts'
import { UpToDate } from '../../settings/up-to-date.ts'
import { WebhookBook } from '../../settings/webhook-book.ts'
import { Away } from '../away.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Caller } from '../keys/caller.ts'
import { isProblem, problem, type Problem } from '../problem.ts'

type Ports = Pick<Dependencies, 'log' | 'codec' | 'clock' | 'logger'>

/** Endpoints as the log has them at this moment, whichever instance wrote them. */
export interface Endpoints {
  /** Those the caller may see, oldest first. */
  of(caller: Caller): Promise<readonly WebhookChanged[]>
  find(id: string, caller: Caller): Promise<WebhookChanged | Problem>
  /** Whoever's they are: for finding again what was made under an id that only its maker can know of. */
  startingWith(prefix: string, namespace: string): Promise<readonly WebhookChanged[]>
  /** Resolves when the log has it. Not where there are as many as may be. */
  add(endpoint: WebhookChanged, caller: Caller): Promise<Problem | null>
  /** The endpoint as it then is. Resolves when the log has it. */
  change(id: string, caller: Caller, become: Change): Promise<WebhookChanged | Problem>
  remove(id: string, caller: Caller): Promise<Problem | null>
}

type Change = (found: WebhookChanged) => WebhookChanged

/** Of one owner; of a private namespace. */
export const MOST_WEBHOOKS = 50

export function endpoints(ports: Ports): Endpoints {
  const { log, codec, logger } = ports
  const onStrange = (offsets: readonly number[]): void => logger.error({ offsets }, 'webhooks_not_understood')
  const known = new UpToDate(new WebhookBook(), { ...ports, onStrange })
  const exclusively = oneByOne()

  const of = async (caller: Caller): Promise<readonly WebhookChanged[]> => {
    const book = await bookNow(known)
    return book.of(caller.namespace).filter((endpoint) => isOf(endpoint, caller))
  }
  const find = async (id: string, caller: Caller): Promise<WebhookChanged | Problem> => {
    const found = (await bookNow(known)).get(id)
    return found !== null && isOf(found, caller) ? found : problem('webhook_not_found', `Webhook not found: ${id}`)
  }
  const put = async (endpoint: WebhookChanged): Promise<void> => {
    const value = await codec.encode(webhooksChanged, endpoint)
    await log.produce([{ topic: webhooksChanged.name, key: webhooksChanged.key(endpoint), value }])
  }

  return {
    of,
    find,
    startingWith: async (prefix, namespace) => {
      const book = await bookNow(known)
      return book.of(namespace).filter(({ webhook_id }) => webhook_id.startsWith(prefix))
    },
    add: async (endpoint, caller) =>
      await exclusively(async () => {
        const { length } = await of(caller)
        if (length >= MOST_WEBHOOKS) return tooMany(length)
        await put(endpoint)
        return null
      }),
    change: async (id, caller, become) =>
      await exclusively(async () => {
        const found = await find(id, caller)
        if (isProblem(found)) return found
        const changed = become(found)
        await put(changed)
        return changed
      }),
    remove: async (id, caller) =>
      await exclusively(async () => {
        const found = await find(id, caller)
        if (isProblem(found)) return found
        await log.produce([{ topic: webhooksChanged.name, key: id, value: null }])
        return null
      }),
  }
}

const tooMany = (there: number): Problem =>
  problem('webhook_limit_reached', `There are ${there} webhooks; ${MOST_WEBHOOKS} may be`)

/** One change after the other, each on the state that the one before it left. */
function oneByOne(): <Answer>(change: () => Promise<Answer>) => Promise<Answer> {
  let last: Promise<unknown> = Promise.resolve()
  return async (change) => {
    const mine = last.then(change, change)
    last = mine
    return await mine
  }
}

/** At home every key; of what all share only keys of one owner, which are those rotated from one another. */
const isOf = (endpoint: WebhookChanged, { namespace, owner }: Caller): boolean =>
  endpoint.namespace === namespace && (namespace !== SHARED || endpoint.owner === owner)

/** With everything the log had taken when it was asked: one small request where nothing is new. */
async function bookNow(endpoints: UpToDate<WebhookBook>): Promise<WebhookBook> {
  try {
    return await endpoints.now()
  } catch (cause) {
    throw cause instanceof Away ? cause : new Away('webhooks.changed is not readable', { cause })
  }
}

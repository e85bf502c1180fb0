import { join } from 'node:path'
import { clickHouseEngine, storyUser } from '../../src/engines/clickhouse.ts'
import type { Engine } from '../../src/engines/engine.ts'
import type { Secrets } from '../../src/engines/secrets.ts'

/** A ClickHouse server of the cluster. */
export interface ClusterStore {
  readonly name: string
  readonly url: string
  readonly user: string
  readonly password: string
  readonly analystPassword: string
  /** The namespaces that it holds; without the property, all but those in `except`. */
  readonly namespaces?: readonly string[]
  readonly except?: readonly string[]
  /** The same in words. */
  readonly holds: string
  readonly engine: Engine
  /** Where the processes of the service find it, if not at `url`. */
  readonly proxied?: { readonly port: number; readonly target: number }
}

/** The namespace with a store of its own. */
export const OWN_NAMESPACE = 'acme'

/** Two stores with the same rows, and one for a namespace of its own. */
const STORES: readonly Pick<ClusterStore, 'name' | 'namespaces' | 'except' | 'holds'>[] = [
  { name: 'a', except: [OWN_NAMESPACE], holds: `all namespaces but ${OWN_NAMESPACE}` },
  { name: 'b', except: [OWN_NAMESPACE], holds: `all namespaces but ${OWN_NAMESPACE}` },
  { name: 'c', namespaces: [OWN_NAMESPACE], holds: `namespace ${OWN_NAMESPACE}` },
]

const DATABASE = 'story'

interface StoresOptions {
  readonly home: string
  readonly secrets: Secrets
  readonly nextPort: () => Promise<number>
  /** Whether a proxy is in front of each. */
  readonly proxied: boolean
}

export async function clusterStores({
  home,
  secrets,
  nextPort,
  proxied,
}: StoresOptions): Promise<readonly ClusterStore[]> {
  const stores: ClusterStore[] = []
  for (const held of STORES) {
    const port = await nextPort()
    const password = secrets.random(`clickhouse_${held.name}_password`)
    const analystPassword = secrets.random(`clickhouse_${held.name}_analyst_password`)
    const name = `clickhouse-${held.name}`
    const at = { directory: join(home, name), log: join(home, 'logs', `${name}.log`), port, database: DATABASE }
    const engine = { ...clickHouseEngine({ ...at, password, analystPassword }), name }
    const way = proxied ? { proxied: { port: await nextPort(), target: port } } : {}
    stores.push({
      ...held,
      ...way,
      url: `http://127.0.0.1:${port}`,
      user: storyUser,
      password,
      analystPassword,
      engine,
    })
  }
  return stores
}

/** The variables that lead the service to the stores. */
export const storesEnvironment = (stores: readonly ClusterStore[]): Readonly<Record<string, string>> => ({
  CLICKHOUSE_USER: storyUser,
  CLICKHOUSE_DATABASE: DATABASE,
  CLICKHOUSE_STORES: JSON.stringify(
    stores.map(({ name, url, proxied, password, namespaces, except }) => ({
      ...{ name, password, namespaces, except },
      url: proxied === undefined ? url : `http://127.0.0.1:${proxied.port}`,
    })),
  ),
})

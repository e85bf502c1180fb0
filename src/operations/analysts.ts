import { inReadingOrder } from '../domain/stores.ts'
import { analysts, type Analyst, type Analysts } from '../engines/analysts/analysts.ts'
import type { Wiring } from '../ports/wiring.ts'

/** Manages the read-only ClickHouse users of namespaces, in every store that holds the namespace. */
export async function analystsOf(wiring: Wiring): Promise<Analysts> {
  const { config, clock } = wiring
  const ofStores = await Promise.all(
    config.stores.map(async (clickhouse) => ({
      ...clickhouse,
      analysts: analysts({ store: await wiring.openStore(clickhouse.name), clock, clickhouse, home: config.home }),
    })),
  )
  const holding = (namespace: string): Analysts[] => inReadingOrder(ofStores, namespace).map((store) => store.analysts)

  const list = async () => {
    const found = await Promise.all(ofStores.map((store) => store.analysts.list()))
    return [...new Map(found.flat().map((one) => [one.namespace, one])).values()]
  }
  return {
    list,
    has: async (namespace) => (await list()).some((one) => one.namespace === namespace),
    put: async (namespace, given) => {
      const [first, ...others] = holding(namespace)
      if (first === undefined) throw new Error(`no store holds the namespace ${namespace}`)
      const analyst: Analyst = await first.put(namespace, given)
      for (const other of others) await other.put(namespace, analyst.password)
      return analyst
    },
    drop: async (namespace) => {
      let found = false
      for (const store of ofStores) found = (await store.analysts.drop(namespace)) || found
      return found
    },
  }
}

import { clickhouseStore } from '../../adapters/clickhouse/store.ts'
import type { StoreConfig } from '../../config/stores.ts'
import type { Store } from '../../ports/store.ts'
import { migrate, type MigrateOptions } from '../../views/migrate.ts'
import { shardDatabase, spread, spreadTables, withoutAltering } from '../../views/shards.ts'

/** Applies pending migrations to a store. Shards are migrated first: a table that is spread over them has their columns. */
export async function migrateStore(
  store: Store,
  of: StoreConfig,
  onProgress: NonNullable<MigrateOptions['onProgress']>,
): Promise<readonly string[]> {
  const options = { replicated: of.replicated, onProgress }
  if (of.shards.length === 0) return migrate(store, options)
  for (const { url } of of.shards) {
    const shard = clickhouseStore({ ...of, url, database: shardDatabase(of.database) })
    await migrate(shard, options).finally(() => shard.close())
  }
  const names = await migrate(withoutAltering(store, await spreadTables(store)), options)
  await spread(store, {
    ...{ database: of.database, user: of.user, password: of.password },
    addresses: of.shards.map(({ native }) => native),
    isTls: of.shards.some(({ url }) => url.startsWith('https:')),
  })
  return names
}

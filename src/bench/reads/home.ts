import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clickhouseStore } from '../../adapters/clickhouse/store.ts'
import { clickHouseEngine, storyUser } from '../../engines/clickhouse.ts'
import { anyFreePort } from '../../engines/free-port.ts'
import { openSecrets } from '../../engines/secrets.ts'
import { supervise } from '../../engines/supervise.ts'
import type { Store } from '../../ports/store.ts'
import { migrate } from '../../views/migrate.ts'
import { thisCli } from '../../wiring/up/service.ts'
import { asLine, importFile, importableFile, withServiceIn } from '../own-service.ts'
import type { BenchSetting } from '../part.ts'
import { BASE } from './recombine.ts'

/** Articles that go through the pipeline; all others are made of their rows. */
const BASE_ARTICLES = 600

/**
 * Starts the ClickHouse of a data directory in the cache that holds base articles in its views, and runs `use`. The
 * directory is kept, so that a repeated bench goes on with it. The service runs only until the base articles are read.
 */
export async function withReadsStore<Result>(
  setting: BenchSetting,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const { out } = setting.wiring
  const home = homeOf(setting)
  if (!existsSync(join(home, READY))) await importBase(home, setting)
  const secrets = openSecrets(home)
  const password = secrets.random('clickhouse_password')
  const options = {
    port: await anyFreePort(),
    password,
    database: 'story',
    analystPassword: secrets.random('clickhouse_analyst_password'),
  }
  const files = { directory: join(home, 'clickhouse'), log: join(home, 'logs', 'clickhouse.log') }
  const engine = await supervise(clickHouseEngine({ ...files, ...options }), (line) => out.progress(line))
  const url = `http://127.0.0.1:${options.port}`
  const store = clickhouseStore({ url, user: storyUser, password, database: options.database })
  try {
    await migrate(store, { replicated: false })
    return await use(store)
  } finally {
    await store.close()
    await engine.stop()
  }
}

/** A file that is written once the base articles are in the views. */
const READY = 'base-imported'

/** Other articles, or another number of them, have another directory. */
function homeOf({ wiring, requested, articles }: BenchSetting): string {
  const base = createHash('sha256').update(
    articles
      .slice(0, BASE_ARTICLES)
      .map(({ text }) => text)
      .join('\n'),
  )
  const home = join(wiring.config.cache, 'bench-reads', `${requested}-${base.digest('hex').slice(0, 8)}`)
  mkdirSync(home, { recursive: true, mode: 0o700 })
  return realpathSync(home) // as ClickHouse reports its path
}

async function importBase(home: string, { wiring, articles }: BenchSetting): Promise<void> {
  wiring.out.progress(`importing ${Math.min(articles.length, BASE_ARTICLES)} base articles ...`)
  const cli = thisCli({ ...wiring.environment, STORY_CACHE: wiring.config.cache })
  await withServiceIn(home, cli, async (service) => {
    const file = await importableFile(home, articles.slice(0, BASE_ARTICLES).map(asLine))
    await importFile(service, file, '--namespace', BASE, '--wait')
  })
  writeFileSync(join(home, READY), '')
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { clickhouseStore } from '../src/adapters/clickhouse/store.ts'
import { loadConfig } from '../src/config/config.ts'
import { anyFreePort } from '../src/engines/free-port.ts'
import { startEngines } from '../src/engines/start-engines.ts'
import { migrate } from '../src/views/migrate.ts'

/** What tests may know of the engines: `const { brokers } = inject('engines')`. */
export interface TestEngines {
  readonly brokers: string[]
  readonly registryUrl: string
  readonly clickhouse: {
    readonly url: string
    readonly database: string
    readonly user: string
    readonly password: string
    readonly analystPassword: string
  }
  readonly model: { readonly onnx: string; readonly tokenizer: string }
  /** Fetched programs: tests that start engines of their own need no second download. */
  readonly cache: string
}

/** Migrated before the first file: several share it, each in namespaces of its own. */
export const VIEWS_DATABASE = 'views_test'

declare module 'vitest' {
  export interface ProvidedContext {
    engines: TestEngines
  }
}

/** Starts Kafka, the registry and ClickHouse once for all tests, on free ports, in a folder that goes away afterwards. */
export default async function startForTests(project: TestProject): Promise<() => Promise<void>> {
  const home = mkdtempSync(join(tmpdir(), 'story-test-'))
  const { cache } = loadConfig({ ...process.env, STORY_HOME: home })
  const ports = { kafka: await anyFreePort(), registry: await anyFreePort(), clickhouse: await anyFreePort() }
  const engines = await startEngines({ home, cache, ports, onProgress: (line) => console.error(line) })
  console.error(`engines for the tests: ${JSON.stringify({ ...ports, pids: engines.pids() })}`)
  const { brokers, registryUrl, clickhouse, model } = engines
  const store = clickhouseStore({ ...clickhouse, database: VIEWS_DATABASE })
  await migrate(store, { replicated: false })
  await store.close()
  project.provide('engines', { brokers, registryUrl, clickhouse, model, cache })
  return async () => {
    await engines.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { runningFile, type RunningConfig } from '../../config/config.ts'
import type { Engines } from '../../engines/start-engines.ts'

export interface UpEnvironmentPorts {
  readonly http: number
  readonly metrics: number
}

/** Where everything of this instance is, under the names that every command reads its configuration from. */
export const instanceEnvironment = (
  engines: Engines,
  ports: UpEnvironmentPorts,
  secretsKey: string,
): RunningConfig => ({
  PORT: `${ports.http}`,
  METRICS_PORT: `${ports.metrics}`,
  KAFKA_BROKERS: engines.brokers.join(','),
  REGISTRY_URL: engines.registryUrl,
  CLICKHOUSE_URL: engines.clickhouse.url,
  CLICKHOUSE_USER: engines.clickhouse.user,
  CLICKHOUSE_PASSWORD: engines.clickhouse.password,
  CLICKHOUSE_DATABASE: engines.clickhouse.database,
  SECRETS_KEY: secretsKey,
})

/**
 * For other commands with the same home: where the engines are, and with which settings the service was started. It holds
 * a password: only the owner may read it.
 */
export function writeRunning(home: string, running: RunningConfig, settings: Readonly<Record<string, string>>): void {
  const file = runningFile(home)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, `${JSON.stringify({ ...running, settings }, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

export const removeRunning = (home: string): void => rmSync(runningFile(home), { force: true })

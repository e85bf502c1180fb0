import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCli } from '../../src/wiring/up/service.ts'
import type { LocalCluster } from './cluster.ts'
import { applyFault } from './faults.ts'
import type { StartedServers } from './started-servers.ts'

/** How long the others serve before anybody notices. */
const UNNOTICED_MS = 20_000

/**
 * Ends a store and deletes its data; its server comes back without a table. Then does what `docs/stores.md` says: its
 * views are stopped, their offsets deleted, its tables made, and its views started.
 */
export async function loseDisk(store: string, { home, cli }: LocalCluster, started: StartedServers): Promise<void> {
  const name = `clickhouse-${store}`
  started.onProgress(`the disk of ${name} is lost`)
  const back = applyFault({ kind: 'kill', name, forMs: 0 }, started)
  rmSync(join(home, name, 'data'), { recursive: true, force: true })
  await back
  await sleep(UNNOTICED_MS)

  const views = [...started.running.keys()].filter((process) => process.startsWith(`views-${store}-`))
  await Promise.all(views.map((process) => started.stop(process)))
  for (const args of [
    ['stores', 'forget', store],
    ['migrate', '--store', store],
  ]) {
    started.onProgress(`story ${args.join(' ')}`)
    await runCli(cli, args, started.signal)
  }
  await Promise.all(views.map((process) => started.startAgain(process)))
}

import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { GraphBuilds } from '../../api/http/dependencies.ts'
import { graphBuilds } from '../../api/graph/builds.ts'
import type { Wiring } from '../../ports/wiring.ts'
import type { ClickHouseStoreOptions } from '../../adapters/clickhouse/store.ts'
import { chosenStore } from '../../config/stores.ts'
import { pinnedTo, StoreUnavailable, type StorePin } from '../../ports/store.ts'
import { projectPath } from '../../config/project-path.ts'
import { stateBudgets } from '../../config/state-budgets.ts'
import type { Compare, GraphDifferences, GraphDifference } from '../../views/graph/compare.ts'
import type { GraphAnswer, GraphWork } from './compare-process.ts'

/** Graph builds on the configured engines. Create one per process: concurrent callers share a build. */
export const graphBuildsOf = async (wiring: Wiring): Promise<GraphBuilds> =>
  graphBuilds({
    store: await wiring.store(),
    log: await wiring.viewedLog(),
    codec: await wiring.codec(),
    clock: wiring.clock,
    memory: stateBudgets(wiring.config).linked,
    compare: comparingApart(await serverOf(wiring)),
  })

type ServerOf = (namespace: string) => Promise<ClickHouseStoreOptions>

/** The server that reads of a namespace go to now. */
const serverOf = async ({ config, ...wiring }: Wiring): Promise<ServerOf> => {
  const store = await wiring.store()
  return async (namespace) => {
    const pin: StorePin = { server: null }
    await pinnedTo(store, pin).query({ name: 'graph.server', sql: 'SELECT 1', params: { namespace }, parse: Number })
    return chosenStore(config, pin.server ?? undefined)
  }
}

/** Sources run through tsx; compiled code runs directly. */
const fromSource = import.meta.url.endsWith('.ts')
const program = fileURLToPath(new URL(`./compare-process.${fromSource ? 'ts' : 'js'}`, import.meta.url))

/** How long an idle comparison process is kept, so that the next build of a small namespace needs no start-up time. */
const WARM_MS = 10 * 60_000
/** Maximum number of stories after which a process is kept: larger comparisons leave too much memory allocated. */
const SMALL = 20_000

/** Compares in a separate process, so that a graph build does not block this one. The process is kept for a while. */
export function comparingApart(serverOf: ServerOf): Compare {
  const warm = new Set<ChildProcess>()
  return async (comparison) => {
    const clickhouse = await serverOf(comparison.namespace)
    const process = taken(warm) ?? started()
    let small = false
    try {
      const compared = await answered(process, { clickhouse, comparison })
      small = compared.stories <= SMALL
      return compared
    } finally {
      if (small) keep(process, warm)
      else process.kill('SIGKILL') // it has finished or failed
    }
  }
}

const started = (): ChildProcess =>
  fork(program, [], {
    cwd: projectPath(''),
    execArgv: fromSource ? ['--import', 'tsx'] : [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })

/** Keeps an idle process for reuse without keeping this process alive; it exits with this process. */
function keep(process: ChildProcess, warm: Set<ChildProcess>): void {
  process.unref()
  process.channel?.unref()
  warm.add(process)
  const tired = setTimeout(() => {
    if (warm.delete(process)) process.kill('SIGKILL')
  }, WARM_MS).unref()
  process.once('exit', () => {
    clearTimeout(tired)
    warm.delete(process)
  })
}

function taken(warm: Set<ChildProcess>): ChildProcess | undefined {
  const [process] = [...warm].filter(({ connected }) => connected)
  if (process === undefined) return undefined
  warm.delete(process)
  process.removeAllListeners('exit')
  process.ref()
  process.channel?.ref()
  return process
}

async function answered(process: ChildProcess, work: GraphWork): Promise<GraphDifferences> {
  try {
    return await new Promise((resolve, reject) => {
      const differences: GraphDifference[] = []
      process.on('message', (message) => {
        const answer = message as GraphAnswer
        if (answer.kind === 'differences') differences.push(...answer.differences)
        else if (answer.kind === 'done') resolve({ ...answer.figures, differences })
        else reject(failure(answer))
      })
      process.on('error', reject)
      process.on('exit', (code, signal) => reject(new Error(`the graph comparison process exited (${code ?? signal})`)))
      process.send(work, () => undefined) // a closed channel is reported by `exit`
    })
  } finally {
    for (const event of ['message', 'error', 'exit']) process.removeAllListeners(event)
    process.on('error', () => undefined) // errors after the kill
  }
}

const failure = ({ away, message }: Extract<GraphAnswer, { kind: 'failed' }>): Error =>
  away ? new StoreUnavailable(message) : new Error(`graph comparison failed: ${message}`)

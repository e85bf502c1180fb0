import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { GraphBuilds } from '../../api/http/dependencies.ts'
import { graphBuilds } from '../../api/graph/builds.ts'
import type { Wiring } from '../../ports/wiring.ts'
import type { ClickHouseStoreOptions } from '../../adapters/clickhouse/store.ts'
import { StoreAway } from '../../ports/store.ts'
import { projectPath } from '../../config/project-path.ts'
import type { Compare, GraphDifferences, GraphDifference } from '../../views/graph/compare.ts'
import type { GraphAnswer, GraphWork } from './compare-process.ts'

/** Builds of the graph on the engines of this configuration. One for a process: who builds at once shares a build. */
export const graphBuildsOf = async (wiring: Wiring): Promise<GraphBuilds> =>
  graphBuilds({
    store: await wiring.store(),
    log: await wiring.log(),
    codec: await wiring.codec(),
    clock: wiring.clock,
    memory: wiring.config.clustered.membersInMemory,
    compare: comparingApart(wiring.config.clickhouse),
  })

/** Node runs the sources through tsx, the build as it is. */
const fromSource = import.meta.url.endsWith('.ts')
const program = fileURLToPath(new URL(`./compare-process.${fromSource ? 'ts' : 'js'}`, import.meta.url))

/** A process that has compared is warm: the next build of a small namespace does not wait for a start. */
const WARM_MS = 10 * 60_000
/** One that has compared more stories keeps memory that others need. */
const SMALL = 20_000

/** Compares in a process of its own, which waits a while for more: what else this one does never waits for a graph. */
export function comparingApart(clickhouse: ClickHouseStoreOptions): Compare {
  const warm = new Set<ChildProcess>()
  return async (comparison) => {
    const process = taken(warm) ?? started()
    let small = false
    try {
      const compared = await answered(process, { clickhouse, comparison })
      small = compared.stories <= SMALL
      return compared
    } finally {
      if (small) keep(process, warm)
      else process.kill('SIGKILL') // it has said all, or cannot
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

/** While it waits it keeps nobody alive: it ends with this process. */
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
      process.send(work, () => undefined) // a closed channel is the end that is reported above
    })
  } finally {
    for (const event of ['message', 'error', 'exit']) process.removeAllListeners(event)
    process.on('error', () => undefined) // of one that is killed
  }
}

const failure = ({ away, message }: Extract<GraphAnswer, { kind: 'failed' }>): Error =>
  away ? new StoreAway(message) : new Error(`graph comparison failed: ${message}`)

import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ClickHouseOptions } from '../../adapters/clickhouse/store.ts'
import { StoreAway } from '../../ports/store.ts'
import { projectPath } from '../../project-path.ts'
import type { Compare, Compared, Difference } from '../../views/graph/compare.ts'
import type { Answer, Work } from './messages.ts'

/** Node runs the sources through tsx, the build as it is. */
const fromSource = import.meta.url.endsWith('.ts')
const program = fileURLToPath(new URL(`./compare-process.${fromSource ? 'ts' : 'js'}`, import.meta.url))

/** Compares in a process that is started for it: what else this one does never waits for a graph. */
export const comparingApart =
  (clickhouse: ClickHouseOptions): Compare =>
  async (wanted) => {
    const process = fork(program, [], {
      cwd: projectPath(''),
      execArgv: fromSource ? ['--import', 'tsx'] : [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    try {
      return await answered(process, { clickhouse, wanted })
    } finally {
      process.kill('SIGKILL') // it has said all, or cannot
    }
  }

const answered = async (process: ChildProcess, work: Work): Promise<Compared> =>
  await new Promise((resolve, reject) => {
    const differences: Difference[] = []
    process.on('message', (message) => {
      const answer = message as Answer
      if (answer.kind === 'differences') differences.push(...answer.differences)
      else if (answer.kind === 'done') resolve({ ...answer.figures, differences })
      else reject(failure(answer))
    })
    process.on('error', reject)
    process.on('exit', (code, signal) =>
      reject(new Error(`the process that compares graphs ended (${code ?? signal})`)),
    )
    process.send(work, () => undefined) // a closed channel is the end that is told above
  })

const failure = ({ away, message }: Extract<Answer, { kind: 'failed' }>): Error =>
  away ? new StoreAway(message) : new Error(`graphs cannot be compared: ${message}`)

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { projectPath } from '../../config/project-path.ts'

/** The dispatcher as a process that is killed and comes back. */
export interface Dispatcher {
  readonly kills: number
  /** `kill -9`, and at once another one. */
  kill(): Promise<void>
  end(): Promise<void>
}

const own = import.meta.url.endsWith('.ts') ? 'src/bench/webhooks/dispatcher-process.ts' : null

/** From source or built, as we run ourselves. */
const script = (): string =>
  own === null ? projectPath('dist/bench/webhooks/dispatcher-process.js') : projectPath(own)
const loader = own === null ? [] : ['--import', 'tsx']

export function startDispatcher(environment: Readonly<Record<string, string>>): Dispatcher {
  const start = (): ChildProcess =>
    spawn(process.execPath, [...loader, script(), JSON.stringify(environment)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  let child = start()
  let kills = 0
  const killed = async (): Promise<void> => {
    if (child.exitCode !== null) throw new Error(`the dispatcher has ended by itself, with ${child.exitCode}`)
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  return {
    get kills() {
      return kills
    },
    kill: async () => {
      await killed()
      kills += 1
      child = start()
    },
    end: killed,
  }
}

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const fromSource = import.meta.url.endsWith('.ts')
const program = fileURLToPath(new URL(`./dispatcher-process.${fromSource ? 'ts' : 'js'}`, import.meta.url))

export type Dispatcher = ReturnType<typeof startDispatcher>

/** The dispatcher as a process that can be killed and restarted. */
export function startDispatcher(environment: Readonly<Record<string, string>>) {
  const start = (): ChildProcess =>
    spawn(process.execPath, [...(fromSource ? ['--import', 'tsx'] : []), program, JSON.stringify(environment)], {
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
    kills: (): number => kills,
    /** Kills it with SIGKILL and starts a new one immediately. */
    kill: async (): Promise<void> => {
      await killed()
      kills += 1
      child = start()
    },
    end: killed,
  }
}

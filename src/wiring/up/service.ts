import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Engine, untilReady } from '../../engines/engine.ts'
import { withHugePages } from '../../engines/huge-pages.ts'
import { leash } from '../../engines/leash.ts'

export interface Cli {
  /** Starts the current CLI again: program and first arguments. */
  readonly command: string
  readonly args: readonly string[]
  readonly environment: NodeJS.ProcessEnv
}

/** The running CLI, from source (with its loader) or compiled, for a child process with another environment. */
export const thisCli = (environment: NodeJS.ProcessEnv): Cli => ({
  command: process.execPath,
  args: [...process.execArgv, process.argv[1] ?? ''],
  environment: withHugePages(environment),
})

/** `story start all` as a supervised child process; ready when `/readyz` returns 200. */
export function serviceEngine(cli: Cli, { url, log }: { readonly url: string; readonly log: string }): Engine {
  const start = async () => {
    const process = leash({
      command: cli.command,
      args: [...cli.args, 'start', 'all'],
      log: { file: log },
      environment: cli.environment,
    })
    return untilReady({ name: 'service', process, log, timeoutMs: 180_000 }, async () => {
      const response = await fetch(`${url}/readyz`)
      await response.arrayBuffer()
      return response.status === 200
    })
  }
  return { name: 'service', start, graceMs: 30_000 }
}

/** Runs a CLI command to its end and returns its output. */
export async function askCli(cli: Cli, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(cli.command, [...cli.args, ...args], { env: cli.environment })
  return stdout
}

/** Runs a CLI command with its progress on stderr. The child process exits with this one at the latest. */
export async function runCli(cli: Cli, args: readonly string[], signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const child = leash({
    command: cli.command,
    args: [...cli.args, ...args],
    log: 'stderr',
    environment: cli.environment,
  })
  const stop = () => void child.stop(5_000)
  signal.addEventListener('abort', stop, { once: true })
  const { code } = await child.ended
  signal.removeEventListener('abort', stop)
  if (code !== 0) throw new Error(`story ${args.join(' ')} failed`)
}

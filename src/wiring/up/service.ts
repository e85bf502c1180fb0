import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Engine, untilReady } from '../../engines/engine.ts'
import { leash } from '../../engines/leash.ts'

export interface Cli {
  /** What starts this very CLI once more: program and first arguments. */
  readonly command: string
  readonly args: readonly string[]
  readonly environment: NodeJS.ProcessEnv
}

/** The CLI that runs now, from source (with its loader) or built, for a child with another environment. */
export const thisCli = (environment: NodeJS.ProcessEnv): Cli => ({
  command: process.execPath,
  args: [...process.execArgv, process.argv[1] ?? ''],
  environment,
})

/** `story start all` as a child that is started again when it ends; up when `/readyz` answers 200. */
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

/** Runs a command of the CLI to its end and answers what it printed. */
export async function askCli(cli: Cli, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(cli.command, [...cli.args, ...args], { env: cli.environment })
  return stdout
}

/** Runs a command of the CLI that shows its progress on our stderr and ends with us at the latest. */
export async function runCli(cli: Cli, args: readonly string[], signal: AbortSignal): Promise<void> {
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

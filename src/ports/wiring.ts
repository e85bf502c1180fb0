import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Clock } from './clock.ts'
import type { Encoder } from './encoder.ts'
import type { Codec, Log } from './log.ts'
import type { Store } from './store.ts'
import type { Tagger } from './tagger.ts'

/** What commands work with; each port is connected when first asked for, and closed when the command ends. */
export interface Wiring {
  readonly config: Config
  readonly clock: Clock
  readonly logger: Logger
  readonly out: Out
  /** The environment the CLI was started with, for the service child of `story up` (only config.ts reads it). */
  readonly environment: NodeJS.ProcessEnv
  log(): Promise<Log>
  codec(): Promise<Codec>
  store(): Promise<Store>
  encoder(): Promise<Encoder>
  tagger(): Promise<Tagger>
  close(): Promise<void>
}

/** What a command says: answers on stdout, progress on stderr. */
export interface Out {
  /** One line of the answer. */
  line(text: string): void
  /** The answer as one JSON line. */
  json(value: unknown): void
  /** A passing word on long work, on stderr; replaced in place on a terminal. */
  progress(text: string): void
}

export function standardOut(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): Out {
  return {
    line: (text) => void stdout.write(`${text}\n`),
    json: (value) => void stdout.write(`${JSON.stringify(value)}\n`),
    progress: (text) => void stderr.write(stderr.isTTY ? `\r\u001b[K${text}` : `${text}\n`),
  }
}

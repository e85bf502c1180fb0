import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Clock } from './clock.ts'
import type { CrossEncoder } from './cross-encoder.ts'
import type { Encoder } from './encoder.ts'
import type { Codec, Log, ViewedLog } from './log.ts'
import type { Reader } from './reader.ts'
import type { Store } from './store.ts'

/** The ports for commands. Each is connected on first use and closed when the command ends. */
export interface Wiring {
  readonly config: Config
  readonly clock: Clock
  readonly logger: Logger
  readonly out: Out
  /** The environment the CLI was started with, for the service child of `story up` (only config.ts reads it). */
  readonly environment: NodeJS.ProcessEnv
  log(): Promise<Log>
  codec(): Promise<Codec>
  /** Reads the views: of several stores the first that can be read. */
  store(): Promise<Store>
  /** The log for readers of the views. */
  viewedLog(): Promise<ViewedLog>
  /** One of the configured stores. */
  openStore(name: string): Promise<Store>
  encoder(): Promise<Encoder>
  /** `null` if only English is read. */
  crossEncoder(): Promise<CrossEncoder | null>
  reader(): Promise<Reader>
  /** Reads articles in other languages than English; `null` if only English is read. */
  crossReader(): Promise<Reader | null>
  close(): Promise<void>
}

/** Output of a command: results on stdout, progress on stderr. */
export interface Out {
  /** One line of the result. */
  line(text: string): void
  /** The result as one JSON line. */
  json(value: unknown): void
  /** Progress of long work, on stderr; replaced in place on a terminal. */
  progress(text: string): void
}

export function standardOut(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): Out {
  return {
    line: (text) => void stdout.write(`${text}\n`),
    json: (value) => void stdout.write(`${JSON.stringify(value)}\n`),
    progress: (text) => void stderr.write(stderr.isTTY ? `\r\u001b[K${text}` : `${text}\n`),
  }
}

import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Clock } from './clock.ts'
import type { Encoder } from './encoder.ts'
import type { Codec, Log } from './log.ts'
import type { Store } from './store.ts'
import type { Tagger } from './tagger.ts'
import type { Out } from './out.ts'

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

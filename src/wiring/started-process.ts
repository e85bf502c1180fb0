import type { GraphBuilds } from '../api/http/dependencies.ts'
import type { Lifecycle } from '../runtime/lifecycle.ts'
import type { RuntimePorts } from '../runtime/running.ts'
import type { Wiring } from '../ports/wiring.ts'

/** A process that takes roles: what it works with, and where each role says what it opened. */
export interface StartedProcess {
  readonly wiring: Wiring
  readonly running: RuntimePorts
  readonly lifecycle: Lifecycle
  /** What the API builds and what the scheduler does are shared. */
  readonly graph: GraphBuilds
}

import type { ChangeData } from '../../../events/changes.ts'
import recorded from './examples.json' with { type: 'json' }

/** An example call of an operation with the service's response. Long lists are shortened. */
export interface DocExample {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly answer?: unknown
  /** Used in place of `answer` if there are several kinds of responses: responses by kind. */
  readonly answers?: Readonly<Record<string, unknown>>
}

const OPERATIONS: Readonly<Record<string, DocExample>> = recorded.operations

/** The example of an operation; `make examples` records them from the contract test. */
export const exampleOf = (operationId: string | undefined): DocExample => OPERATIONS[operationId ?? ''] ?? {}

/** The `data` of a change of each type, as webhooks deliver it. */
export const CHANGE_EXAMPLES: Readonly<Record<keyof ChangeData, unknown>> = recorded.changes

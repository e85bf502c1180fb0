import type { ComponentChildren, JSX } from 'preact'
import { link, address } from '../state/place.ts'
import type { ServiceReply } from '../state/answer.ts'
import type { DashboardRefusal } from '../state/service.ts'

interface ShownProperties<Answer> {
  readonly reply: ServiceReply<Answer>
  /** What is loading, for screen readers. */
  readonly what: string
  readonly children: (answer: Answer) => ComponentChildren
}

/** The answer, or the reason why there is none. */
export function Shown<Answer>({ reply, what, children }: ShownProperties<Answer>): JSX.Element {
  if (reply.kind === 'pending') return <Waiting what={what} />
  if (reply.kind === 'refused') return <Refused refusal={reply.refusal} />
  return <>{children(reply.value)}</>
}

const Waiting = ({ what }: { readonly what: string }) => (
  <div class="waiting" role="status">
    <span class="unseen">Loading {what}</span>
    <i />
    <i />
    <i />
  </div>
)

const TITLES: Readonly<Record<DashboardRefusal['kind'], string>> = {
  key: 'API key rejected',
  tier: 'Not available with this key',
  missing: 'Not found',
  wrong: 'Invalid request',
  later: 'Rate limit reached',
  down: 'Service unavailable',
}

const HINTS: Readonly<Partial<Record<DashboardRefusal['kind'], string>>> = {
  tier: 'All other data is available. Select “Sign out” above to use another key.',
  missing: 'The address may be incomplete, or the item did not exist at the selected point in time.',
}

const Refused = ({ refusal: { kind, message, againIn } }: { readonly refusal: DashboardRefusal }) => (
  <div class="empty" role="status">
    <strong>{TITLES[kind]}</strong>
    <p>{message}</p>
    {againIn !== null && <p>Retrying automatically.</p>}
    {HINTS[kind] !== undefined && <p>{HINTS[kind]}</p>}
    {kind === 'missing' && <a href={link(address.value.page)}>All {address.value.page}</a>}
  </div>
)

interface EmptyProperties {
  readonly title: string
  readonly children?: ComponentChildren
}

export const Empty = ({ title, children }: EmptyProperties) => (
  <div class="empty">
    <strong>{title}</strong>
    {children}
  </div>
)

/** Loads the next page of a list; nothing if there is none. */
export const More = ({ what, next }: { readonly what: string; readonly next: (() => void) | null }) =>
  next && (
    <button type="button" class="more" onClick={next}>
      More {what}
    </button>
  )

interface TableProperties {
  readonly label: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly ComponentChildren[])[]
}

export const Table = ({ label, columns, rows }: TableProperties) => (
  <div class="scroll" tabIndex={0} role="region" aria-label={label}>
    <table>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([head, ...cells], i) => (
          <tr key={i}>
            <th scope="row">{head}</th>
            {cells.map((cell, j) => (
              <td key={j}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

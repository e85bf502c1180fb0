import type { ComponentChildren, JSX } from 'preact'
import { link, place } from '../state/place.ts'
import type { ServiceReply } from '../state/answer.ts'
import type { DashboardRefusal } from '../state/service.ts'

interface ShownProperties<Answer> {
  readonly reply: ServiceReply<Answer>
  /** What is awaited, for who hears the page. */
  readonly what: string
  readonly children: (answer: Answer) => ComponentChildren
}

/** An answer, or why there is none. */
export function Shown<Answer>({ reply, what, children }: ShownProperties<Answer>): JSX.Element {
  if (reply.kind === 'asked') return <Waiting what={what} />
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
  key: 'The key was refused',
  tier: 'Not with this key',
  missing: 'Not found',
  wrong: 'The service refused this',
  later: 'A moment, please',
  away: 'No answer at the moment',
}

const HINTS: Readonly<Partial<Record<DashboardRefusal['kind'], string>>> = {
  tier: 'Everything else can be looked at. “Leave” above takes another key.',
  missing: 'Its address may be cut short, or at the moment that is looked at it was not there yet.',
}

const Refused = ({ refusal: { kind, message, againIn } }: { readonly refusal: DashboardRefusal }) => (
  <div class="empty" role="status">
    <strong>{TITLES[kind]}</strong>
    <p>{message}</p>
    {againIn !== null && <p>It is asked again by itself.</p>}
    {HINTS[kind] !== undefined && <p>{HINTS[kind]}</p>}
    {kind === 'missing' && <a href={link(place.value.page)}>All {place.value.page}</a>}
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

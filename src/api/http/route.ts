import { z, type RouteConfig } from '@hono/zod-openapi'
import type { Tier } from '../../events/settings.ts'
import { csvListOf, FORMAT, type CsvList } from './csv.ts'
import type { Caller } from './keys/caller.ts'
import type { Scope } from './keys/scopes.ts'
import { fieldErrors, issueText } from './field-errors.ts'
import { fieldPaths } from './unknown-fields.ts'
import { type Method, operation, type OperationCost, type RequestShape, type RouteText } from './openapi/operation.ts'
import { readAgain } from './read-again.ts'
import { validationFailed, type Problem } from './problem.ts'
import type { Connection, Streamed } from './stream-response.ts'

type RouteInput<Shape extends RequestShape> = z.output<z.ZodObject<z.core.util.Writeable<Shape>>>

/**
 * A response type in which all arrays and objects are readonly, so that a handler can return the rows of a view
 * unchanged.
 */
type ReadonlyDeep<Value> = Value extends readonly (infer Item)[]
  ? readonly ReadonlyDeep<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: ReadonlyDeep<Value[Key]> }
    : Value

/** What a handler may return as a response of this schema. */
export type AnswerOf<Schema extends z.ZodType> = ReadonlyDeep<z.input<Schema>>

/** The caller and the time of the request (milliseconds since 1970), which is the default for `as_of`. */
export interface CallContext {
  readonly caller: Caller
  readonly now: number
  readonly connection: Connection
}

interface RouteParts<Shape extends RequestShape, Answer extends z.ZodType> extends RouteText {
  readonly request: Shape
  readonly answer: Answer
}

export interface KeyedRoute<Shape extends RequestShape, Answer extends z.ZodType> extends RouteParts<Shape, Answer> {
  /** The lowest tier that may call the route. */
  readonly tier: Tier
  /** The scope that the caller needs. Default: `read` for GET, `write` for all other methods. */
  readonly scope?: Scope
  readonly cost: OperationCost
}

/** A request before validation. */
export interface RawCall {
  readonly params: Readonly<Record<string, string>>
  /** A repeated parameter is a list, which schemas of a single value reject. */
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /** The declared headers that were sent. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly now: number
  readonly connection: Connection
}

/** A complete route: access, cost, request, response and documentation. */
export interface Route extends RouteText {
  readonly tier: Tier | 'open'
  /** The scope that the caller needs. */
  readonly scope: Scope | 'open'
  readonly cost: OperationCost
  readonly takesBody: boolean
  readonly takesHeaders: readonly string[]
  /** How its list is written as CSV (`format=csv`); `null` if the response is no list. */
  readonly csv: CsvList | null
  /** The names of its query parameters. */
  readonly takesQuery: readonly string[]
  /** The paths of its body's fields: `metadata.title`, `articles[].text`. */
  readonly takesFields: ReadonlySet<string>
  /** The list fields of its body, with the maximum number of items of each. */
  readonly longestLists: ReadonlyMap<string, number>
  readonly document: RouteConfig
  /** How long a response may be cached, in milliseconds. Not set for routes that report new data. */
  readonly freshMs?: number | undefined
  /** Maximum time of the handler in milliseconds; then the response is 503. */
  readonly timeoutMs?: number
  readonly handle: (raw: RawCall, caller: Caller | null) => Promise<unknown>
}

/**
 * Defines a route that requires a key. The handler receives validated input, the caller and the time, and returns the
 * response or a `problem(...)`.
 */
export function defineRoute<Shape extends RequestShape, Answer extends z.ZodType>(
  route: KeyedRoute<Shape, Answer>,
  handler: (input: RouteInput<Shape>, context: CallContext) => Promise<AnswerOf<Answer> | Problem | Streamed>,
): Route {
  const validate = validator(route.request)
  return {
    ...withDocument(route, { tier: route.tier, scope: scopeOf(route), cost: route.cost }),
    handle: async (raw, caller) => {
      if (caller === null) throw new Error(`${route.path} was reached without a key`)
      const checked = validate(raw)
      if (checked.kind === 'invalid') return checked.problem
      const answer = () => handler(checked.input, { now: raw.now, caller, connection: raw.connection })
      return route.method === 'get' ? readAgain(answer) : answer()
    },
  }
}

/** Defines a route that requires no key: health checks and documents. */
export function defineOpenRoute<Shape extends RequestShape, Answer extends z.ZodType>(
  route: RouteParts<Shape, Answer>,
  handler: (input: RouteInput<Shape>, context: Pick<CallContext, 'now'>) => Promise<AnswerOf<Answer> | Problem>,
): Route {
  const validate = validator(route.request)
  return {
    ...withDocument(route, { tier: 'open', scope: 'open', cost: 'nothing' }),
    handle: async (raw) => {
      const checked = validate(raw)
      return checked.kind === 'invalid' ? checked.problem : handler(checked.input, { now: raw.now })
    },
  }
}

const scopeOf = ({ method, scope }: { readonly method: Method; readonly scope?: Scope }): Scope =>
  scope ?? (method === 'get' ? 'read' : 'write')

type Access = Pick<Route, 'tier' | 'scope' | 'cost'>

function withDocument<Shape extends RequestShape, Answer extends z.ZodType>(
  { request, answer, ...text }: RouteParts<Shape, Answer>,
  access: Access,
): Omit<Route, 'handle'> {
  const csv = hasFormats(text, access) ? csvListOf(answer) : null
  const takesBody = request.body !== undefined
  const takesHeaders = Object.keys(request.headers?.shape ?? {})
  const takesQuery = [...Object.keys(request.query?.shape ?? {}), ...(csv === null ? [] : [FORMAT])]
  const takesFields = new Set(fieldPaths(request.body))
  const longestLists = listLimits(request.body)
  const document = operation({ text, ...access, request, answer, csv })
  return { ...text, ...access, csv, takesBody, takesHeaders, takesQuery, takesFields, longestLists, document }
}

const hasFormats = ({ method, status, contentType }: RouteText, { tier }: Access): boolean =>
  method === 'get' && status === 200 && contentType === undefined && tier !== 'open'

/** The list fields of a body, with the maximum number of items of each. */
function listLimits(body: unknown): ReadonlyMap<string, number> {
  const fields = body instanceof z.ZodObject ? Object.entries<unknown>(body.shape) : []
  return new Map(
    fields.flatMap(([name, field]) => {
      const checks = field instanceof z.ZodArray ? (field.def.checks ?? []) : []
      return checks.flatMap(({ _zod: { def } }) =>
        def.check === 'max_length' && 'maximum' in def && typeof def.maximum === 'number'
          ? [[name, def.maximum] as const]
          : [],
      )
    }),
  )
}

type InputCheck<Input> =
  { readonly kind: 'valid'; readonly input: Input } | { readonly kind: 'invalid'; readonly problem: Problem }

function validator<Shape extends RequestShape>(request: Shape): (raw: RawCall) => InputCheck<RouteInput<Shape>> {
  const schema = z.object(request)
  return (raw) => {
    const parsed = schema.safeParse(raw, { error: issueText })
    if (!parsed.success) return { kind: 'invalid', problem: validationFailed(fieldErrors(parsed.error)) }
    return { kind: 'valid', input: parsed.data }
  }
}

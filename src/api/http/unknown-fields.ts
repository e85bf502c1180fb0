import { editDistance } from '../../language/edit-distance.ts'
import { z } from '@hono/zod-openapi'
import { validationFailed, type Problem } from './problem.ts'

/** Lists the ignored parts of a request: `time_rang (did you mean time_range?), body.title`. */
export const IGNORED_HEADER = 'x-ignored-parameters'
/** `?strict=1` refuses unknown parameters and fields. Every operation accepts it. */
export const STRICT = 'strict'

const STRICT_VALUES: ReadonlyMap<unknown, boolean> = new Map([
  [undefined, false],
  ['0', false],
  ['false', false],
  ['1', true],
  ['true', true],
])

export const STRICT_PARAMETER = {
  name: STRICT,
  in: 'query' as const,
  required: false,
  description:
    'With `1` or `true`, an unknown query parameter or body field is rejected (422). By default it is ignored and ' +
    'listed in `X-Ignored-Parameters`.',
  schema: { type: 'string' as const, enum: ['0', '1', 'false', 'true'] },
}

/**
 * What a route accepts: the names of query parameters and the paths of body fields (`metadata.title`,
 * `articles[].text`).
 */
export interface TakenFields {
  readonly query: readonly string[]
  readonly body: ReadonlySet<string>
}

/** The query and body of a request, before validation. */
interface SentFields {
  readonly query: Readonly<Record<string, string | readonly string[]>>
  readonly body: unknown
}

/** An unknown parameter or field. */
interface Unknown {
  readonly where: 'query' | 'body'
  readonly path: string
}

export type UnknownCheck =
  { readonly kind: 'ignored'; readonly header: string | null } | { readonly kind: 'refused'; readonly problem: Problem }

const MAX_NAMED = 10
const MAX_NAME_CHARACTERS = 60

/** The value of the header that lists what is ignored, `null` if nothing is; or the problem for a strict request. */
export function checkUnknown(taken: TakenFields, { query, body }: SentFields): UnknownCheck {
  const isStrict = STRICT_VALUES.get(query[STRICT])
  if (isStrict === undefined) return refused([{ path: STRICT, message: 'expected 1 or 0' }])
  const unknown = [...unknownParameters(query, taken.query), ...unknownFields(body, taken.body)]
  if (unknown.length === 0) return { kind: 'ignored', header: null }
  const named = unknown.slice(0, MAX_NAMED)
  if (!isStrict) return { kind: 'ignored', header: headerOf(named, { more: unknown.length > MAX_NAMED, taken }) }
  return refused(
    named.map((one) => {
      const suggestion = suggest(one, taken)
      const hint = suggestion === null ? '' : `; did you mean ${suggestion}?`
      return { path: printable(one.path), message: `unknown ${one.where === 'query' ? 'parameter' : 'field'}${hint}` }
    }),
  )
}

const refused = (errors: Parameters<typeof validationFailed>[0]): UnknownCheck => ({
  kind: 'refused',
  problem: validationFailed(errors),
})

function headerOf(
  unknown: readonly Unknown[],
  { more, taken }: { readonly more: boolean; readonly taken: TakenFields },
) {
  const named = unknown.map((one) => {
    const suggestion = suggest(one, taken)
    const prefix = one.where === 'body' ? 'body.' : ''
    return printable(`${prefix}${one.path}`) + (suggestion === null ? '' : ` (did you mean ${prefix}${suggestion}?)`)
  })
  return [...named, ...(more ? ['...'] : [])].join(', ')
}

/** Makes a name from the caller safe for a header: percent-encodes unsafe characters and cuts long names. */
const printable = (name: string): string =>
  Array.from(name.slice(0, MAX_NAME_CHARACTERS), (letter) =>
    /[\w.[\]-]/.test(letter) ? letter : encoded(letter),
  ).join('') + (name.length > MAX_NAME_CHARACTERS ? '...' : '')

const encoded = (letter: string): string =>
  Array.from(new TextEncoder().encode(letter), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(
    '',
  )

const unknownParameters = (query: SentFields['query'], taken: readonly string[]): readonly Unknown[] =>
  Object.keys(query).flatMap((path) =>
    path === STRICT || taken.includes(path) ? [] : [{ where: 'query' as const, path }],
  )

/** Searches only as deep as the known fields and stops after enough matches, because a body may be large. */
function unknownFields(body: unknown, taken: ReadonlySet<string>): readonly Unknown[] {
  if (taken.size === 0) return []
  const found = new Set<string>()
  for (const path of unknownPaths(body, '', taken)) {
    found.add(path)
    if (found.size > MAX_NAMED) break
  }
  return Array.from(found, (path) => ({ where: 'body', path }))
}

function* unknownPaths(value: unknown, path: string, taken: ReadonlySet<string>): Generator<string> {
  if (Array.isArray(value)) yield* unknownInList(value, `${path}[]`, taken)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      const at = path === '' ? key : `${path}.${key}`
      if (taken.has(at)) yield* unknownPaths(inner, at, taken)
      else yield at
    }
  }
}

/** Only known lists are searched, because unknown lists can be nested as deep as the body is long. */
function* unknownInList(list: readonly unknown[], path: string, taken: ReadonlySet<string>): Generator<string> {
  if (taken.has(path)) for (const one of list) yield* unknownPaths(one, path, taken)
}

/** The known field with this name elsewhere, or the most similar known name, at most two edits away. */
function suggest({ where, path }: Unknown, { query, body }: TakenFields): string | null {
  if (path.length > MAX_NAME_CHARACTERS) return null
  const known = where === 'query' ? query : [...body].filter((one) => !one.endsWith('[]'))
  const moved = known.find((one) => lastName(one) === lastName(path))
  if (moved !== undefined) return moved
  const name = path.toLowerCase()
  const [nearest] = known
    .map((one) => ({ one, distance: editDistance(name, one, MOST_SLIPS) }))
    .filter(({ one, distance }) => distance <= Math.min(MOST_SLIPS, Math.floor(one.length / 3)))
    .sort((a, b) => a.distance - b.distance)
  return nearest?.one ?? null
}

/** Letters by which a misspelt field may differ. */
const MOST_SLIPS = 2

const lastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

/** The paths of all fields in a schema. For a union, those of all its members. */
export function fieldPaths(schema: unknown, path = ''): readonly string[] {
  const within = path === '' ? '' : `${path}.`
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([key, inner]) => [
      `${within}${key}`,
      ...fieldPaths(inner, `${within}${key}`),
    ])
  }
  if (schema instanceof z.ZodArray) return [`${path}[]`, ...fieldPaths(schema.element, `${path}[]`)]
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => fieldPaths(option, path))
  if (schema instanceof z.ZodPipe) return fieldPaths(schema.in, path)
  return hasInner(schema) ? fieldPaths(schema.unwrap(), path) : []
}

const hasInner = (schema: unknown) =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault

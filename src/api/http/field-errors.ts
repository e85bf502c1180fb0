import { z } from '@hono/zod-openapi'
import type { FieldError } from './problem.ts'

/**
 * The validation errors of a request, with paths as the caller wrote them: `articles[3].text`, `limit`, `body` for the
 * whole body.
 */
export const fieldErrors = (error: z.core.$ZodError): readonly FieldError[] =>
  error.issues.map(({ path, message }) => ({ path: fieldPath(path), message }))

function fieldPath([part, ...within]: readonly PropertyKey[]): string {
  const path = within.reduce<string>(
    (whole, step) => whole + (typeof step === 'number' ? `[${step}]` : `.${String(step)}`),
    '',
  )
  return path === '' ? String(part) : path.replace(/^\./, '')
}

type Issue = z.core.$ZodRawIssue

/** The message of an issue for `safeParse`; `undefined` keeps the message of the schema or the library. */
export function issueText(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `expected ${expectedType(issue)}${got(issue.input)}`
    case 'invalid_value':
      return `expected ${oneOf(issue.values.map(String))}${got(issue.input)}`
    case 'too_big':
      return bound(issue, 'at most', issue.maximum)
    case 'too_small':
      return bound(issue, 'at least', issue.minimum)
    case 'unrecognized_keys':
      return unknownKeys(issue.keys, issue.inst)
    case 'invalid_union':
      return discriminated(issue.discriminator, issue.inst)
    default:
      return undefined
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
}

function expectedType({ expected, inst }: Issue & { readonly code: 'invalid_type' }): string {
  if (inst instanceof z.ZodObject) return sketch(inst)
  const type = TYPES[expected] ?? `a value of type ${expected}`
  return inst instanceof z.ZodNumber
    ? (inst.format?.includes('int') === true ? 'a whole number' : 'a number') + range(inst)
    : type
}

function range({ minValue, maxValue }: z.ZodNumber): string {
  const [low, high] = [minValue ?? -Infinity, maxValue ?? Infinity]
  const [hasLow, hasHigh] = [low > -Number.MAX_SAFE_INTEGER, high < Number.MAX_SAFE_INTEGER]
  if (hasLow && hasHigh) return ` from ${low} to ${high}`
  return hasLow ? ` of at least ${low}` : hasHigh ? ` of at most ${high}` : ''
}

/** A template of an object, `{"articles": [ ... ]}`: the required fields, or all fields if none is required. */
function sketch({ shape }: z.ZodObject): string {
  const fields = Object.entries<z.core.$ZodType>(shape)
  const required = fields.filter(([, field]) => !z.safeParse(field, undefined).success)
  const shown = (required.length > 0 ? required : fields).map(([name, field]) => `"${name}": ${placeholder(field)}`)
  return `{${shown.join(', ')}}`
}

function placeholder(field: unknown): string {
  if (field instanceof z.ZodArray) return '[ ... ]'
  if (field instanceof z.ZodObject) return '{ ... }'
  return field instanceof z.ZodString ? '"..."' : '...'
}

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' items', set: ' items' }

type BoundIssue = Issue & { readonly code: 'too_big' | 'too_small' }

function bound({ origin, input }: BoundIssue, word: string, limit: number | bigint): string {
  const unit = UNITS[origin]
  if (unit === undefined) return `must be ${word} ${limit}${got(input)}`
  return word === 'at least' && limit === 1 ? 'must not be empty' : `must have ${word} ${limit}${unit}`
}

function unknownKeys(keys: readonly string[], schema: unknown): string {
  const named = keys.slice(0, MAX_NAMES).map((key) => quoted(key) ?? '...')
  const more = keys.length > MAX_NAMES ? ', ...' : ''
  const known = schema instanceof z.ZodObject ? `; known: ${Object.keys(schema.shape).join(', ')}` : ''
  return `unknown key${keys.length > 1 ? 's' : ''} ${named.join(', ')}${more}${known}`
}

function discriminated(key: string | undefined, schema: unknown): string | undefined {
  if (key === undefined || !(schema instanceof z.ZodDiscriminatedUnion)) return undefined
  const options = schema.options.flatMap((option) => {
    const field: unknown = option instanceof z.ZodObject ? option.shape[key] : undefined
    return field instanceof z.ZodLiteral ? [...field.values].map(String) : []
  })
  return `expected ${oneOf(options)} as ${key}`
}

const MAX_NAMES = 10
const MAX_ECHOED_CHARACTERS = 40
/** Values that match are never repeated in a response. */
const SECRET = /pk_live_|whsec_|bearer/i

const oneOf = (values: readonly string[]): string => `one of ${values.join(', ')}`

/** The received value for an error message. Empty if it is long or contains a secret. */
function got(input: unknown): string {
  if (typeof input === 'number' || typeof input === 'boolean' || input === null) return `, got ${String(input)}`
  if (Array.isArray(input)) return ', got a list'
  if (typeof input === 'object') return ', got an object'
  const shown = typeof input === 'string' ? quoted(input) : null
  return shown === null ? '' : `, got ${shown}`
}

/** The text as a JSON string, without control characters; `null` if it is too long or contains a secret. */
const quoted = (text: string): string | null =>
  text.length > MAX_ECHOED_CHARACTERS || SECRET.test(text) ? null : JSON.stringify(text)

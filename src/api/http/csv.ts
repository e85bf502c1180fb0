import { z } from '@hono/zod-openapi'
import { stringify } from 'csv-stringify/sync'

/** How a list response is written as CSV: its one list, and the path of each column within an item. */
export interface CsvList {
  readonly list: string
  readonly columns: readonly (readonly string[])[]
}

/** The CSV form of a response schema; `null` unless exactly one of its fields is a list of objects. */
export function csvListOf(answer: z.ZodType): CsvList | null {
  const lists = shapesOf(answer).flatMap((shape) =>
    Object.entries<unknown>(shape).flatMap(([name, field]) => {
      const inner = bare(field)
      const item = inner instanceof z.ZodArray ? bare(inner.element) : null
      return item instanceof z.ZodObject ? [{ name, columns: columnsOf(item) }] : []
    }),
  )
  const [first] = lists
  if (first === undefined || lists.some(({ name }) => name !== first.name) || lists.length > shapesOf(answer).length)
    return null
  const columns = new Map(lists.flatMap(({ columns: of }) => of.map((path) => [path.join('.'), path])))
  return { list: first.name, columns: [...columns.values()] }
}

/** A response of several shapes, such as one for each level of a search, has one list of the same name in each. */
function shapesOf(answer: z.ZodType): readonly z.ZodRawShape[] {
  if (answer instanceof z.ZodUnion) return answer.options.flatMap((option) => shapesOf(option as z.ZodType))
  return answer instanceof z.ZodObject ? [answer.shape] : []
}

/** Nested objects become columns of their own: `quality.rating`. */
const columnsOf = (item: z.ZodObject): readonly (readonly string[])[] =>
  Object.entries<unknown>(item.shape).flatMap(([name, field]) => {
    const inner = bare(field)
    return inner instanceof z.ZodObject ? columnsOf(inner).map((path) => [name, ...path]) : [[name]]
  })

function bare(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return bare(schema.unwrap())
  return schema
}

/**
 * The items of a list response as CSV (RFC 4180) with a header line. A list of plain values is joined by `; `, other
 * nested values are JSON. Text that a spreadsheet would run as a formula gets a leading apostrophe (OWASP).
 */
export function csvOf(answer: unknown, { list, columns }: CsvList): string {
  const items = z.array(z.unknown()).parse(at(answer, [list]))
  return stringify(
    items.map((item) => columns.map((path) => cell(at(item, path)))),
    {
      header: true,
      columns: columns.map((path) => path.join('.')),
      record_delimiter: 'windows',
      escape_formulas: true,
      cast: { boolean: (value) => String(value) },
    },
  )
}

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, name) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, name) : undefined),
    value,
  )

function cell(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join('; ')
  return JSON.stringify(value)
}

export const FORMAT = 'format'

/** The values of the query parameter `format`; JSON by default. */
const Format = z.enum(['json', 'csv']).default('json')

/** `null` if the value is neither. */
export const formatOf = (given: unknown): 'json' | 'csv' | null => {
  const parsed = Format.safeParse(given)
  return parsed.success ? parsed.data : null
}

export const FORMAT_PARAMETER = {
  name: FORMAT,
  in: 'query' as const,
  required: false,
  description:
    '`csv`: the items of this page as CSV (RFC 4180, UTF-8) with a header line. The address of the next page is in ' +
    'the `Link` header.',
  schema: { type: 'string' as const, enum: ['json', 'csv'], default: 'json' },
}

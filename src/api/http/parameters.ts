import { HOUR_MS } from '../../domain/days.ts'
import { z } from '@hono/zod-openapi'
import { isMoment, MOMENTS, readMoment } from '../../domain/intake/articles.ts'
import { GENRES } from '../../events/articles.ts'

/** Optional, so that responses stay valid for clients that were generated before it existed. */
export const genre = z.enum(GENRES).optional().openapi({
  description: 'Style of the article. `report` for articles stored before genres existed.',
})

/** Query parameters are text. Decimal digits become a number; other values fail validation. */
const decimal = (given: unknown): unknown =>
  typeof given === 'string' && /^-?\d+(\.\d{1,20})?$/.test(given) ? Number(given) : given

/** Clamps a number to ±`limit`, so that one with too many digits fails only the range check. */
const clamped = (limit: number) => (given: unknown) =>
  typeof given === 'number' ? Math.max(-limit, Math.min(limit, given)) : given

/**
 * Also accepts a fraction in exponent form, as JSON prints small numbers (`5e-7`), so that values from responses can be
 * sent back.
 */
const fraction = (given: unknown): unknown =>
  typeof given === 'string' && /^-?\d(\.\d{1,20})?e-\d{1,3}$/.test(given) ? Number(given) : decimal(given)

const booleanOf = (given: unknown): unknown => (given === 'true' ? true : given === 'false' ? false : given)

interface ParametersBounds {
  readonly min: number
  readonly max: number
}

const clampedInteger = clamped(Number.MAX_SAFE_INTEGER)
const clampedNumber = clamped(Number.MAX_VALUE)

/** An integer parameter with inclusive bounds. Add `.default(...)` or `.optional()`. */
export const integer = ({ min, max }: ParametersBounds) =>
  z.preprocess((given) => clampedInteger(decimal(given)), z.int().min(min).max(max))

export const float = ({ min, max }: ParametersBounds) =>
  z.preprocess((given) => clampedNumber(fraction(given)), z.number().min(min).max(max))

export const flag = () => z.preprocess(booleanOf, z.boolean())

/** A time in milliseconds since 1970, parsed from ISO 8601. A plain date or a time without a zone is in UTC. */
export const moment = () =>
  z
    .string()
    .transform((text, context) => {
      const ms = readMoment(text)
      if (ms !== null && isMoment(ms)) return ms
      const message = ms === null ? 'expected an ISO 8601 timestamp or a date' : `expected a moment of ${MOMENTS}`
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    })
    .openapi({ type: 'string', format: 'date-time', example: '2018-12-31T00:00:00Z' })

/** Time windows that end at `as_of`, in milliseconds. */
export const WINDOWS = {
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 168 * HOUR_MS,
  '30d': 720 * HOUR_MS,
}

export type TimeWindow = keyof typeof WINDOWS

const windowOf = (name: TimeWindow) => ({ name, ms: WINDOWS[name] })
const windowName = z.enum(['1h', '6h', '24h', '7d', '30d'])

/** A window that ends at `as_of`: `{ name: '24h', ms: 86400000 }`. */
export const timeRange = (byDefault: TimeWindow) => windowName.default(byDefault).transform(windowOf)

/** Like `timeRange`, but all time by default. */
export const anyTimeRange = () => windowName.transform(windowOf).optional().describe('Default: all time.')

export const asOf = () =>
  moment()
    .optional()
    .describe('Point in time (event time): the response reflects what was published up to then. Default: now.')

/** More than the difference between two clocks that NTP synchronizes. */
const CLOCKS_DIFFER_BY_MS = 60_000

/**
 * The default `as_of` for reads of articles: the current time plus a tolerance for clock skew. The event time of an
 * undated article is its arrival by the broker's clock. If the local clock is behind, its job could be completed while
 * the article is not yet visible.
 */
export const orNow = (as_of: number | undefined, now: number): number => as_of ?? now + CLOCKS_DIFFER_BY_MS

/** The point in time of a list, and whether the caller gave it. The cursor keeps it in both cases. */
export const pointInTime = (as_of: number | undefined, now: number) => ({
  as_of: as_of ?? now,
  as_of_given: as_of !== undefined,
})

/** The items of `a, b,c`. Empty items are dropped. */
export const commaSeparated = (text: string): string[] =>
  text.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]))

/** Distinct cluster ids, separated by commas. */
export const clusterIds = ({ min, max }: ParametersBounds) =>
  z
    .string()
    .transform((text) => [...new Set(commaSeparated(text))])
    .refine(({ length }) => length >= min && length <= max, {
      message: `expected ${min} to ${max} different ids, separated by commas`,
    })
    .openapi({ type: 'string', description: `${min} to ${max} cluster ids, separated by commas.` })

const MAX_LANGUAGES = 20
const LANGUAGE = /^(?:[a-z]{2}|und)$/

/** Distinct languages, separated by commas, in the order given. */
const languageList = () =>
  z
    .string()
    .transform((text) => [...new Set(commaSeparated(text))])
    .refine(
      (codes) => codes.length >= 1 && codes.length <= MAX_LANGUAGES && codes.every((code) => LANGUAGE.test(code)),
      {
        message: `expected 1 to ${MAX_LANGUAGES} ISO 639-1 codes or \`und\`, separated by commas`,
      },
    )

/** The languages to quote a story in, the first preferred. */
export const quotedLanguages = () =>
  languageList()
    .default(['en'])
    .openapi({
      type: 'string',
      default: 'en',
      example: 'de,en',
      description:
        'Languages of the summary, ISO 639-1, separated by commas, the first preferred. If the story has no article in ' +
        'any of them, the language of most of its articles.',
    })

/** Distinct languages, separated by commas, in alphabetical order. Optional: all languages by default. */
export const languages = (description: string) =>
  languageList()
    .transform((codes) => codes.toSorted())
    .optional()
    .openapi({
      type: 'string',
      example: 'de,fr',
      description: `${description} ISO 639-1 codes or \`und\` (unknown), separated by commas, at most ${MAX_LANGUAGES}. Default: all.`,
    })

/** The parameters `limit` and `cursor` of every list. */
export const paging = ({ limit, max }: { readonly limit: number; readonly max: number }) => ({
  limit: integer({ min: 1, max }).default(limit),
  cursor: z
    .string()
    .max(2_000)
    .transform((cursor) => (cursor === '' ? undefined : cursor)) // `?cursor=`: from the beginning
    .optional()
    .describe('`next_cursor` of the previous page. Omit it, or leave it empty, for the first page.'),
})

/** In addition to `paging`, for lists that also support offsets. */
export const offset = () =>
  integer({ min: 0, max: 1_000_000 }).default(0).describe('Number of items to skip. Ignored if there is a `cursor`.')

/** The last field of every list response. The `Link: rel="next"` header is derived from it. */
export const nextCursor = z
  .string()
  .nullable()
  .describe('Send it as `cursor` to retrieve the next page. `null` on the last page.')

/**
 * A named schema or `null`. `.nullable()` would make the shared component itself nullable, for which generated clients
 * have no type.
 */
export const orNull = <Schema extends z.ZodType>(schema: Schema) => z.union([schema, z.null()])

/** A time in responses: ISO 8601 in UTC, with milliseconds. */
export const timestamp = z.string().openapi({ format: 'date-time', example: '2018-12-31T10:20:30.000Z' })

/** Well-formed Unicode without control characters. */
export const READABLE = /^[^\u0000-\u001f\u007f-\u009f\ud800-\udfff]*$/u
export const NOT_READABLE = 'expected well formed text without control characters'

/** A number from 0 to 1. */
export const share = z.number().min(0).max(1)

/** A sentiment from -1 to 1. */
export const sentimentScore = z.number().min(-1).max(1)

import { z } from '@hono/zod-openapi'
import { LIFECYCLE_STATES } from '../../events/lifecycle.ts'
import type { MonitorConditions } from '../../events/monitors.ts'
import { CATEGORY_NAMES } from '../../language/categories/categories.ts'
import { NOT_READABLE, READABLE, sentimentScore } from '../http/parameters.ts'
import { MAX_QUERY_CHARACTERS, MAX_TERMS, queryProblem } from '../../domain/monitors/query-problem.ts'

const MAX_VALUES = 100
const MAX_NAME_CHARACTERS = 200

const sortedUnique = <Value extends string>(given: Value[]): Value[] => [...new Set(given)].sort()

/** Values in alphabetical order without duplicates, so that conditions with the same meaning are equal. */
const listOf = <Item extends z.ZodType<string>>(item: Item, description: string, example: readonly string[]) =>
  z
    .array(item)
    .max(MAX_VALUES)
    .overwrite(sortedUnique)
    .default([])
    .openapi({ description: `${description} At most ${MAX_VALUES}; empty for all.`, example })

/** Without the `u` flag, which JSON Schema implies. */
const pattern = READABLE.source

const name = (normalised: (text: string) => string) =>
  z
    .string()
    .trim()
    .toLowerCase()
    .normalize('NFC')
    .overwrite(normalised)
    .min(1)
    .max(MAX_NAME_CHARACTERS)
    .regex(READABLE, NOT_READABLE)
    .openapi({ pattern })

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const isCountry = (code: string): boolean => /^[A-Z]{2}$/.test(code) && countryNames.of(code) !== undefined

const query = z
  .string()
  .trim()
  .max(MAX_QUERY_CHARACTERS)
  .regex(READABLE, NOT_READABLE)
  .superRefine((text, context) => {
    const message = queryProblem(text)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })
  .default('')
  .openapi({
    pattern,
    description:
      'Words and "quoted phrases" that the title or text of an article contains, all of them; `-` before one excludes ' +
      `it. At most ${MAX_TERMS}; empty for any text.`,
    example: '"interest rate" ECB -crypto',
  })

const fields = {
  query,
  entity_ids: listOf(
    z.string().regex(/^ent_[a-z2-7]{16}$/, 'expected an entity id: ent_ and 16 characters'),
    'The article names one of these entities, or one of `entity_names`.',
    ['ent_k3v7qhd2mzxw5ayp'],
  ),
  entity_names: listOf(
    name((text) => text),
    'Canonical names, in any case.',
    ['christine lagarde'],
  ),
  places: listOf(
    z.string().trim().toUpperCase().refine(isCountry, 'expected an ISO 3166-1 alpha-2 code'),
    'The article names a place in one of these countries, ISO 3166-1 alpha-2.',
    ['DE', 'FR'],
  ),
  categories: listOf(z.enum(CATEGORY_NAMES), 'The article has one of these categories.', ['finance']),
  languages: listOf(
    z.string().regex(/^(?:[a-z]{2}|und)$/, 'expected an ISO 639-1 code or `und`'),
    'The article is in one of these languages, ISO 639-1, or `und` (unknown).',
    ['de', 'en'],
  ),
  sources: listOf(
    name((text) => text.replace(/^www\./, '')),
    'Outlets, hosts of articles, publishers or publisher families, in any case.',
    ['reuters.com'],
  ),
  lifecycle_states: listOf(z.enum(LIFECYCLE_STATES), 'The story is in one of these states.', ['breaking']),
  min_origins: z.int().min(1).max(10_000).nullable().default(null).openapi({
    description: 'The story has at least this many independent sources. `null` for any number.',
    example: 3,
  }),
  min_velocity: z.number().min(0).max(1_000_000).nullable().default(null).openapi({
    description: 'Articles of the last 24 hours, at least this multiple of the usual number. `null` for any.',
    example: 2,
  }),
  min_sentiment: sentimentScore.nullable().default(null).openapi({
    description: 'Mean sentiment of the story, at least. `null` for any.',
    example: null,
  }),
  max_sentiment: sentimentScore.nullable().default(null).openapi({
    description: 'Mean sentiment of the story, at most. `null` for any.',
    example: -0.2,
  }),
} satisfies Record<keyof MonitorConditions, z.ZodType>

/** Strict: an ignored typo in a condition would match every story. */
export const Conditions = z
  .strictObject(fields)
  .refine((given) => !isEmpty(given), 'at least one condition is required')
  .refine(({ min_sentiment: min, max_sentiment: max }) => min === null || max === null || min <= max, {
    path: ['min_sentiment'],
    message: 'must not be above max_sentiment',
  })
  .openapi('MonitorConditions', {
    description:
      'The conditions up to `sources` hold together for one article of the story, the others for the story. At least ' +
      'one is required.',
  })

const isEmpty = (given: MonitorConditions): boolean =>
  Object.values<MonitorConditions[keyof MonitorConditions]>({ ...given }).every(
    (value) => value === null || (typeof value !== 'number' && value.length === 0),
  )

const names = z.array(z.string())
const amount = z.number().nullable()

/** Not the same as `MonitorConditions`, which is the request form and may omit fields. */
export const ActiveConditions = z
  .object({
    query: z.string(),
    ...{ entity_ids: names, entity_names: names, places: names, categories: names, languages: names, sources: names },
    ...{ lifecycle_states: names, min_origins: z.int().nullable(), min_velocity: amount },
    ...{ min_sentiment: amount, max_sentiment: amount },
  })
  .openapi('ActiveMonitorConditions')

const NAMES = Object.keys(fields) as readonly (keyof MonitorConditions)[]

export const isSameConditions = (one: MonitorConditions, other: MonitorConditions): boolean =>
  NAMES.every((field) => JSON.stringify(one[field]) === JSON.stringify(other[field]))

import { z } from '@hono/zod-openapi'
import { expect, it } from 'vitest'
import { CorrectionBody } from '../corrections/wish.ts'
import { fieldErrors, issueText } from './field-errors.ts'
import { SubmittedArticle } from '../jobs/intake.ts'
import { float, integer } from './parameters.ts'
import { NewWebhook } from '../webhooks/body.ts'

const Batch = z.object({ articles: z.array(SubmittedArticle).min(1).max(50) })
const query = z.object({
  limit: integer({ min: 1, max: 100 }).default(10),
  share: float({ min: 0, max: 1 }).default(0),
})

const errors = (schema: z.ZodObject, raw: unknown): readonly string[] => {
  const { error } = schema.safeParse(raw, { error: issueText })
  return error === undefined ? [] : fieldErrors(error).map(({ path, message }) => `${path}: ${message}`)
}

it.each<[string, z.ZodType, unknown, string]>([
  ['a missing field', SubmittedArticle, {}, 'text: is required'],
  ['another type', SubmittedArticle, { text: 7 }, 'text: expected text, got 7'],
  ['another whole', Batch, [1], 'body: expected {"articles": [ ... ]}, got a list'],
  ['no body', Batch, undefined, 'body: is required'],
  ['too few items', Batch, { articles: [] }, 'articles: must not be empty'],
  ['an item', Batch, { articles: [{}] }, 'articles[0].text: is required'],
  [
    'unknown keys',
    NewWebhook,
    { url: 'https://a.example', events: ['trend.detected'], filters: { entities: [], minimum: 3 } },
    'filters: unknown keys "entities", "minimum"; known: entity_ids, min_velocity, min_assignment_confidence, membership, query, entity_names, min_origins, monitor_ids',
  ],
  [
    'an unknown action',
    CorrectionBody,
    { action: 'burn' },
    'action: expected one of move, merge, split, keep_apart as action',
  ],
])('says what is wrong with %s of a body', (_, body, sent, sentence) => {
  expect(errors(z.object({ body }), { body: sent })).toEqual([sentence])
})

it.each([
  [{ limit: 'ten' }, 'limit: expected a whole number from 1 to 100, got "ten"'],
  [{ limit: '1.5' }, 'limit: expected a whole number from 1 to 100, got 1.5'],
  [{ limit: '101' }, 'limit: must be at most 100, got 101'],
  [{ limit: '0' }, 'limit: must be at least 1, got 0'],
  [{ share: 'half' }, 'share: expected a number from 0 to 1, got "half"'],
  [{ limit: ['1', '2'] }, 'limit: expected a whole number from 1 to 100, got a list'],
])('says what is wrong with the parameters %j', (sent, sentence) => {
  expect(errors(z.object({ query }), { query: sent })).toEqual([sentence])
})

it('repeats neither a long value nor a key', () => {
  expect(errors(z.object({ query }), { query: { limit: 'x'.repeat(41) } })).toEqual([
    'limit: expected a whole number from 1 to 100',
  ])
  expect(errors(z.object({ query }), { query: { limit: 'pk_live_abc' } })).toEqual([
    'limit: expected a whole number from 1 to 100',
  ])
})

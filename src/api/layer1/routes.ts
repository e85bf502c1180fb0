import { z } from '@hono/zod-openapi'
import type { Dependencies } from '../http/dependencies.ts'
import { fieldErrors, issueText } from '../http/field-errors.ts'
import { analyses, type Analyses } from './analyses.ts'
import { checkedArticle, GivenArticle, type CheckedArticle } from './given-article.ts'
import { Layer1Result } from './result.ts'
import { validationFailed, type FieldError } from '../http/problem.ts'
import { defineRoute, type AnswerOf, type CallContext, type Route } from '../http/route.ts'

const MAX_BATCH = 50
const MAX_BATCH_BYTES = 16 * 1024 * 1024

const Layer1Failure = z
  .object({
    success: z.literal(false),
    article_id: z.string().nullable().describe('As sent. `null` if it was missing.'),
    error: z.string().describe('The invalid field and the reason.'),
  })
  .openapi('Layer1Failure')

const Layer1Results = z
  .object({
    success: z.boolean().describe('Whether every item succeeded.'),
    total: z.int().describe('Number of items, including failed ones.'),
    results: z.array(z.union([Layer1Result, Layer1Failure])).describe('In the order of the request.'),
  })
  .openapi('Layer1Results')

/** Accepts any object, because errors of an item are reported in its place in the response. */
const Item = z.union([GivenArticle, z.looseObject({}).openapi('UncheckedArticle')])

const keyed = { method: 'post', tag: 'Layer 1', tier: 'starter', cost: 'request', status: 200 } as const

export function layer1ProcessRoutes(dependencies: Dependencies): readonly Route[] {
  const analysed = analyses(dependencies)
  return [processRoute(analysed), batchRoute(analysed)]
}

const processRoute = (analysed: Analyses): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/layer1/v1/process',
      operationId: 'analyzeArticle',
      summary: 'Analyze an article',
      description:
        'Returns the sentences, names, places, dates, sums and sentiment of an article. If the `article_id` ' +
        'is known, the stored result is returned and the rest of the request is ignored; `processing_time_ms` is ' +
        '0 and `sentences` is absent. Otherwise the article is analysed, and its names are included in the counts ' +
        'of the entity endpoints. Only articles submitted to Layer 0 are clustered into stories.',
      request: { body: GivenArticle },
      answer: Layer1Result,
    },
    async ({ body }, context) => {
      const checked = checkedArticle(body)
      if (checked.kind === 'refused') return validationFailed(checked.errors)
      const [result] = await analysed([checked.article], context)
      if (result instanceof Error) throw result
      return result ?? validationFailed([NO_TEXT])
    },
  )

const batchRoute = (analysed: Analyses): Route =>
  defineRoute(
    {
      ...keyed,
      path: '/layer1/v1/process/batch',
      operationId: 'analyzeArticles',
      summary: 'Analyze a batch of articles',
      description:
        'Accepts up to 50 articles and costs one request. Returns one result per article, in order. An ' +
        'invalid article has an error in its place; the others are analysed.',
      maxBodyBytes: MAX_BATCH_BYTES,
      request: {
        body: z.object({ articles: z.array(Item).min(1).max(MAX_BATCH) }).openapi('Layer1Batch'),
      },
      answer: Layer1Results,
    },
    ({ body }, context) => processAll(body.articles, context, analysed),
  )

async function processAll(
  given: readonly Readonly<Record<string, unknown>>[],
  context: CallContext,
  analysed: Analyses,
): Promise<AnswerOf<typeof Layer1Results>> {
  const checked = given.map(checkedItem)
  const good = checked.flatMap((one) => (one.kind === 'article' ? [one.article] : []))
  const answers = await analysed(good, context)
  const [first] = answers
  if (first instanceof Error && answers.every((answer) => answer instanceof Error)) throw first
  const made = answers.values()
  const results = checked.map((one, i): Layer1Result | z.output<typeof Layer1Failure> => {
    if (one.kind === 'refused') return failure(given[i], one.errors)
    const result = made.next().value
    if (result instanceof Error) return failure(given[i], [NOT_NOW])
    return result ?? failure(given[i], [NO_TEXT])
  })
  return { success: results.every(({ success }) => success), total: results.length, results }
}

function checkedItem(item: unknown): CheckedArticle {
  const parsed = GivenArticle.safeParse(item, { error: issueText })
  return parsed.success ? checkedArticle(parsed.data) : { kind: 'refused', errors: fieldErrors(parsed.error) }
}

const NO_TEXT: FieldError = { path: 'content', message: 'the markup contains no text' }

const NOT_NOW: FieldError = { path: 'article', message: 'the article could not be analysed; send it again' }

const failure = (
  given: Readonly<Record<string, unknown>> | undefined,
  errors: readonly FieldError[],
): z.output<typeof Layer1Failure> => {
  const id = given?.['article_id']
  return {
    success: false,
    article_id: typeof id === 'string' ? id : null,
    error: errors.map(({ path, message }) => `${path}: ${message}`).join('; '),
  }
}

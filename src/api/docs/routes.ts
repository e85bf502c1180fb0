import { z } from '@hono/zod-openapi'
import { asyncDocument } from './asyncapi-document.ts'
import { eventsPage } from './asyncapi-page.ts'
import { page, type DocPage } from '../http/page.ts'
import { assets, EVENTS_POLICY, REFERENCE, REFERENCE_POLICY } from './reference.ts'
import { apiDocument, type DocumentOf } from './openapi.ts'
import { problem } from '../http/problem.ts'
import { defineOpenRoute, type Route } from '../http/route.ts'

const Document: z.ZodType = z.looseObject({ openapi: z.string() }).openapi('OpenApiDocument')
const AsyncApi: z.ZodType = z.looseObject({ asyncapi: z.string() }).openapi('AsyncApiDocument')

const JSON_TYPE = 'application/json'
const HTML_TYPE = 'text/html; charset=utf-8'

const about = { method: 'get', tag: 'Service', status: 200, request: {} } as const
const json = (document: unknown) => page({ type: JSON_TYPE, bytes: Buffer.from(JSON.stringify(document)) })

/** Creates a page on the first request, which keeps startup fast. */
function lazily(make: () => DocPage): () => DocPage {
  let made: DocPage | undefined
  return () => (made ??= make())
}

/** The documentation of the service: both documents, and pages that display them without any other server. */
export function documentRoutes(routes: readonly Route[], of: DocumentOf): readonly Route[] {
  const described: Route[] = [
    openApi(lazily(() => json(apiDocument([...routes, ...described], of)))),
    asyncApi(of.version),
  ]
  return [...described, ...pages(of.version)]
}

const openApi = (whole: () => DocPage): Route =>
  defineOpenRoute(
    {
      ...about,
      path: '/openapi.json',
      operationId: 'getOpenApiDocument',
      contentType: JSON_TYPE,
      summary: 'Retrieve the OpenAPI document',
      description: 'Returns this document (OpenAPI 3.1).',
      answer: Document,
    },
    async () => whole(),
  )

function asyncApi(version: string): Route {
  const whole = lazily(() => json(asyncDocument(version)))
  return defineOpenRoute(
    {
      ...about,
      path: '/asyncapi.json',
      operationId: 'getAsyncApiDocument',
      contentType: JSON_TYPE,
      summary: 'Retrieve the AsyncAPI document',
      description: 'Returns the description of the Kafka topics (AsyncAPI 3.1).',
      answer: AsyncApi,
    },
    async () => whole(),
  )
}

/** Pages for people. They are not part of the documented API. */
function pages(version: string): readonly Route[] {
  const shown = { ...about, contentType: HTML_TYPE, forPeople: true, answer: z.unknown() } as const
  const reference = page({ type: HTML_TYPE, bytes: Buffer.from(REFERENCE), policy: REFERENCE_POLICY })
  const events = lazily(() =>
    page({ type: HTML_TYPE, bytes: Buffer.from(eventsPage(asyncDocument(version))), policy: EVENTS_POLICY }),
  )
  const asset = assets()
  return [
    defineOpenRoute({ ...shown, path: '/docs', summary: 'The API reference' }, async () => reference),
    defineOpenRoute({ ...shown, path: '/docs/events', summary: 'The topics' }, async () => events()),
    defineOpenRoute(
      {
        ...shown,
        path: '/docs/{asset}',
        summary: 'Assets of the pages',
        problems: ['not_found'],
        request: { params: z.object({ asset: z.string() }) },
      },
      async ({ params }) => asset(params.asset) ?? problem('not_found', `There is nothing at /docs/${params.asset}`),
    ),
  ]
}

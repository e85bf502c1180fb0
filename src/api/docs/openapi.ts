import { OpenAPIHono } from '@hono/zod-openapi'
import type { Tier } from '../../events/settings.ts'
import { about, TAGS } from './about.ts'
import { HEADERS } from '../http/openapi/headers.ts'
import { registerWebhooks } from './incoming.ts'
import { problemExamples, refusalResponse } from '../http/openapi/refusals.ts'
import { FORMAT, FORMAT_PARAMETER } from '../http/csv.ts'
import { STRICT, STRICT_PARAMETER } from '../http/unknown-fields.ts'
import { ProblemBody } from '../http/problem.ts'
import { MAX_BODY_BYTES } from '../http/openapi/operation.ts'
import type { Route } from '../http/route.ts'
import { exampleOf, type DocExample } from '../http/openapi/example.ts'

export interface DocumentOf {
  readonly version: string
  /** Requests per minute, by tier. */
  readonly limits: Readonly<Record<Tier, number>>
}

/** The OpenAPI 3.1 document, generated from the same route objects that serve requests. */
export function apiDocument(all: readonly Route[], { version, limits }: DocumentOf): OpenApiDocument {
  const routes = all.filter(({ forPeople }) => forPeople !== true)
  const { openAPIRegistry, getOpenAPI31Document } = new OpenAPIHono()
  for (const route of routes) openAPIRegistry.registerPath(route.document)
  openAPIRegistry.register('Problem', ProblemBody)
  registerWebhooks(openAPIRegistry)
  openAPIRegistry.registerComponent('securitySchemes', 'api_key', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'pk_live_…',
    description: '`pk_live_` followed by 36 letters and digits.',
  })
  openAPIRegistry.registerComponent('parameters', STRICT, STRICT_PARAMETER)
  openAPIRegistry.registerComponent('parameters', FORMAT, FORMAT_PARAMETER)
  for (const [name, header] of Object.entries(HEADERS)) openAPIRegistry.registerComponent('headers', name, header)
  for (const [code, example] of problemExamples()) {
    openAPIRegistry.registerComponent('examples', code, example)
    openAPIRegistry.registerComponent('responses', code, refusalResponse([code]))
  }
  const used = new Set(routes.map(({ tag }) => tag))
  return finished(
    getOpenAPI31Document({
      openapi: '3.1.0',
      info: {
        title: 'Story Intelligence Service',
        version,
        description: about(limits),
        license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      },
      servers: [{ url: '/', description: 'The service that returned this document.' }],
      tags: TAGS.filter(({ name }) => used.has(name)).map((tag) => ({ ...tag })),
      'x-limits': {
        requests_per_minute: limits,
        polls_per_minute: 600,
        body_bytes: MAX_BODY_BYTES,
        header_bytes: 16_384,
      },
    }),
    routes,
  )
}

export type OpenApiDocument = ReturnType<OpenAPIHono['getOpenAPI31Document']>
type PathItem = NonNullable<OpenApiDocument['paths']>[string]
type FinishDocumentParameter = NonNullable<NonNullable<PathItem['get']>['parameters']>[number]

/** Adds the example value of each parameter from the route's example call, and removes duplicate descriptions. */
export function finished(document: OpenApiDocument, routes: readonly Route[]): OpenApiDocument {
  for (const { path, method, operationId, csv } of routes) {
    const operation = document.paths?.[path]?.[method]
    if (operation === undefined) continue
    const parameters = (operation.parameters ?? []).map((parameter) =>
      withoutDuplicateDescription(withExample(parameter, exampleOf(operationId))),
    )
    const format = csv === null ? [] : [{ $ref: '#/components/parameters/format' as const }]
    operation.parameters = [...parameters, ...format, { $ref: '#/components/parameters/strict' }]
  }
  return document
}

function withExample(parameter: FinishDocumentParameter, example: DocExample): FinishDocumentParameter {
  if ('$ref' in parameter) return parameter
  const given = { path: example.params, query: example.query, header: example.headers, cookie: undefined }[parameter.in]
  const value = given?.[parameter.name]
  return value === undefined ? parameter : { ...parameter, example: value }
}

/** Removes the description that the generator also writes into a parameter's schema. */
function withoutDuplicateDescription(parameter: FinishDocumentParameter): FinishDocumentParameter {
  if ('$ref' in parameter || parameter.schema === undefined || !('description' in parameter.schema)) return parameter
  const { description, ...schema } = parameter.schema
  return parameter.description === description ? { ...parameter, schema } : parameter
}

import { OpenAPIHono } from '@hono/zod-openapi'
import type { Route } from './route.ts'

type OpenApiDocument = ReturnType<OpenAPIHono['getOpenAPI31Document']>

/** The OpenAPI 3.1 document of the routes: made of the same objects that serve them. */
export function apiDocument(routes: readonly Route[], version: string): OpenApiDocument {
  const { openAPIRegistry, getOpenAPI31Document } = new OpenAPIHono()
  for (const route of routes) openAPIRegistry.registerPath(route.document)
  openAPIRegistry.registerComponent('securitySchemes', 'api_key', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'pk_live_…',
  })
  return getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Story Intelligence Service',
      version,
      description:
        'News articles in, stories that explain themselves out. Errors are `application/problem+json`; ' +
        '`x-tier` is the lowest tier that may call an operation, `x-rate-cost` what a call spends.',
    },
    servers: [{ url: '/' }],
  })
}

import { z } from '@hono/zod-openapi'
import { apiDocument, type DocumentOf } from '../openapi.ts'
import { defineOpenRoute, type Route } from '../route.ts'

const Document = z.looseObject({ openapi: z.string() }).openapi('OpenApiDocument')

/** `/openapi.json`, itself included. */
export function documentRoutes(routes: readonly Route[], of: DocumentOf): readonly Route[] {
  const document = defineOpenRoute(
    {
      method: 'get',
      path: '/openapi.json',
      tag: 'Service',
      operationId: 'getOpenApiDocument',
      example: { answer: { openapi: '3.1.0' } },
      summary: 'This document',
      status: 200,
      request: {},
      answer: Document,
    },
    async () => ({ ...whole }),
  )
  const whole = apiDocument([...routes, document], of)
  return [document]
}

import { z } from '@hono/zod-openapi'
import { apiDocument } from '../openapi.ts'
import { defineOpenRoute, type Route } from '../route.ts'

const Document = z.looseObject({ openapi: z.string() }).openapi('OpenApiDocument')

/** `/openapi.json`, itself included. */
export function documentRoutes(routes: readonly Route[], version: string): readonly Route[] {
  const document = defineOpenRoute(
    {
      method: 'get',
      path: '/openapi.json',
      tag: 'Service',
      summary: 'This document',
      status: 200,
      request: {},
      answer: Document,
    },
    async () => ({ ...whole }),
  )
  const whole = apiDocument([...routes, document], version)
  return [document]
}

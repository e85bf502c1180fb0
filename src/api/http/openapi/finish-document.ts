import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Route } from '../route.ts'
import { exampleOf, type DocExample } from './example.ts'

export type OpenApiDocument = ReturnType<OpenAPIHono['getOpenAPI31Document']>
type PathItem = NonNullable<OpenApiDocument['paths']>[string]
type FinishDocumentParameter = NonNullable<NonNullable<PathItem['get']>['parameters']>[number]

/** The document with each parameter's value in its route's example call, and nothing said twice. */
export function finished(document: OpenApiDocument, routes: readonly Route[]): OpenApiDocument {
  for (const { path, method, operationId } of routes) {
    const operation = document.paths?.[path]?.[method]
    if (operation === undefined) continue
    const parameters = (operation.parameters ?? []).map((parameter) =>
      saidOnce(shown(parameter, exampleOf(operationId))),
    )
    operation.parameters = [...parameters, { $ref: '#/components/parameters/strict' }]
  }
  return document
}

function shown(parameter: FinishDocumentParameter, example: DocExample): FinishDocumentParameter {
  if ('$ref' in parameter) return parameter
  const given = { path: example.params, query: example.query, header: example.headers, cookie: undefined }[parameter.in]
  const value = given?.[parameter.name]
  return value === undefined ? parameter : { ...parameter, example: value }
}

/** The generator writes a parameter's description into its schema, too. */
function saidOnce(parameter: FinishDocumentParameter): FinishDocumentParameter {
  if ('$ref' in parameter || parameter.schema === undefined || !('description' in parameter.schema)) return parameter
  const { description, ...schema } = parameter.schema
  return parameter.description === description ? { ...parameter, schema } : parameter
}

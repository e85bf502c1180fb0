import { z } from 'zod'

const Schema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
})
const OperationsParameter = z.looseObject({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().optional(),
  schema: Schema,
  example: z.unknown().optional(),
})
/** A parameter that every operation takes. */
const Reference = z.strictObject({ $ref: z.string() })
const Content = z.looseObject({ schema: z.looseObject({ $ref: z.string().optional() }).optional() })
const Described = z.looseObject({
  'x-tier': z.enum(['open', 'starter', 'professional', 'enterprise']),
  parameters: z.array(z.union([OperationsParameter, Reference])).default([]),
  requestBody: z.looseObject({ content: z.record(z.string(), Content) }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: z.record(z.string(), Content).optional() })),
})
const Document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), Described)) })

export type OperationsParameter = z.output<typeof OperationsParameter>

/** One operation as the document tells it. */
export interface Operation {
  /** `GET /v1/clusters/{cluster_id}`: its name in tests. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly tier: 'open' | 'starter' | 'professional' | 'enterprise'
  readonly parameters: readonly OperationsParameter[]
  readonly takesBody: boolean
  readonly statuses: readonly number[]
}

const isReference = (one: OperationsParameter | z.output<typeof Reference>): one is z.output<typeof Reference> =>
  '$ref' in one

/** Every operation of a document, in its order, with the parameters of its own. */
export const operationsOf = (document: unknown): readonly Operation[] =>
  Object.entries(Document.parse(document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { 'x-tier': tier, parameters, requestBody, responses }]): Operation => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      tier,
      parameters: parameters.flatMap((one) => (isReference(one) ? [] : [one])),
      takesBody: requestBody !== undefined,
      statuses: Object.keys(responses).map(Number),
    })),
  )

/** The address with each of its parameters filled in. */
export const filled = (path: string, value: (parameter: string) => string): string =>
  path.replace(/\{(\w+)\}/g, (_, parameter: string) => encodeURIComponent(value(parameter)))

/** An address and its query; what is undefined is left out, a list is given as often as it is long. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | readonly string[] | undefined>>,
): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => `${name}=${encodeURIComponent(one)}`),
  )
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

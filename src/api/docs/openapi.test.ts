import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readDocument } from '../../../test/builders/documented-operations.ts'
import { CHANGE_TYPES } from '../../events/changes.ts'
import { DESCRIBED_LIMITS, describedRoutes } from '../described-routes.ts'
import { apiDocument } from './openapi.ts'
import { PROBLEMS, TITLES } from '../http/problem.ts'

interface Schema {
  readonly type?: string | readonly string[] | undefined
  readonly enum?: readonly unknown[] | undefined
  readonly properties?: Readonly<Record<string, Schema>> | undefined
  readonly additionalProperties?: unknown
  readonly items?: Schema | undefined
  readonly anyOf?: readonly Schema[] | undefined
  readonly oneOf?: readonly Schema[] | undefined
}

const Schema: z.ZodType<Schema> = z.lazy(() =>
  z.looseObject({
    type: z.union([z.string(), z.array(z.string())]).optional(),
    enum: z.array(z.unknown()).optional(),
    properties: z.record(z.string(), Schema).optional(),
    additionalProperties: z.unknown().optional(),
    items: Schema.optional(),
    anyOf: z.array(Schema).optional(),
    oneOf: z.array(Schema).optional(),
  }),
)

const membersOf = ({ anyOf = [], oneOf = [] }: Schema): readonly Schema[] => [...anyOf, ...oneOf]

const isNullable = (schema: Schema): boolean =>
  [schema.type ?? []].flat().includes('null') || membersOf(schema).some(isNullable)

const isOpenObject = ({ type, properties = {} }: Schema): boolean =>
  type === 'object' && Object.keys(properties).length === 0

/**
 * Class names as generators build them: the component's name, then the property's for an inline object or enumeration.
 */
function classNames(name: string, schema: Schema): readonly string[] {
  if ('$ref' in schema) return []
  const { properties = {}, additionalProperties, items, enum: values } = schema
  const isClass = 'properties' in schema || typeof additionalProperties === 'object' || values !== undefined
  return [
    ...(isClass ? [name.toLowerCase()] : []),
    ...Object.entries(properties).flatMap(([key, one]) => classNames(`${name}${key.replaceAll('_', '')}`, one)),
    ...(items === undefined ? [] : classNames(`${name}Item`, items)),
    ...membersOf(schema).flatMap((one, at) => classNames(`${name}Type${at}`, one)),
  ]
}

/** Unions with an inline object member. */
function unnamedMembers(whole: unknown, where: string): readonly string[] {
  if (typeof whole !== 'object' || whole === null) return []
  const members = [...('anyOf' in whole ? [whole.anyOf] : []), ...('oneOf' in whole ? [whole.oneOf] : [])].flat()
  const isUnnamed = members.some((one) => Schema.parse(one).properties !== undefined)
  return [
    ...(isUnnamed ? [where] : []),
    ...Object.entries(whole).flatMap(([key, value]) => unnamedMembers(value, `${where}/${key}`)),
  ]
}

const made = apiDocument(describedRoutes('0'), { version: '0', limits: DESCRIBED_LIMITS })
const document = readDocument(JSON.parse(JSON.stringify(made)))

it('is valid OpenAPI 3.1', async () => {
  const validator = new Validator()

  const { valid, errors } = await validator.validate(JSON.stringify(made, null, 1))

  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  expect(validator.version).toBe('3.1')
})

it('tells a stranger what holds for every operation', () => {
  const { description } = document.info
  for (const word of [
    'Authorization: Bearer',
    'x-tier',
    'x-scope',
    'RateLimit',
    'Retry-After',
    'problem+json',
    'next_cursor',
  ]) {
    expect(description).toContain(word)
  }
  for (const word of ['as_of', 'Idempotency-Key', 'X-Request-Id', 'If-None-Match', '/asyncapi.json']) {
    expect(description).toContain(word)
  }
  expect(description).toContain('starter 120, professional 1,200, enterprise 12,000')
})

it('is read so that a field nobody documented is a fault', () => {
  const alive = document.closed({ $ref: '#/components/schemas/Alive' })

  expect(alive({ status: 'alive' })).toEqual([])
  expect(alive({ status: 'alive', since: 1 })).toEqual([expect.stringContaining('since')])
  expect(alive({})).toEqual([expect.stringContaining('status')])
})

it('names every operation once, in camel case', () => {
  const names = document.operations.map(({ operationId }) => operationId)

  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => name === undefined || !/^[a-z][a-zA-Z0-9]+$/.test(name))).toEqual([])
})

it('describes every tag it uses, and no other', () => {
  const used = new Set(document.operations.flatMap(({ tags }) => tags))

  expect(document.tags.map(({ name }) => name).sort()).toEqual([...used].sort())
})

it('has an example of every refusal there is, as it goes over the wire', () => {
  const problem = document.closed({ $ref: '#/components/schemas/Problem' })
  const codes = Object.keys(PROBLEMS)
  const shown = codes.map((code) =>
    document.examplesOf({ schema: {}, examples: { [code]: { $ref: `#/components/examples/${code}` } } }),
  )

  expect(shown.flat().flatMap(({ value }) => problem(value))).toEqual([])
  expect(shown.flat().map(({ value }) => value)).toMatchObject(
    Object.entries(PROBLEMS).map(([code, { status }]) => ({ code, status, title: TITLES[status] })),
  )
})

describe('what client generators need', () => {
  const schemas = z.record(z.string(), Schema).parse(document.components['schemas'])

  it('makes no component nullable: null stands where the component is used', () => {
    expect(Object.keys(schemas).filter((name) => isNullable(schemas[name] ?? {}))).toEqual([])
    expect(isNullable({ type: ['object', 'null'] })).toBe(true)
    expect(isNullable({ anyOf: [{ type: 'object' }, { type: 'null' }] })).toBe(true)
  })

  it('gives every schema, named or inline, a class name of its own', () => {
    const names = Object.entries(schemas).flatMap(([name, schema]) => classNames(name, schema))

    expect(names.length).toBeGreaterThan(Object.keys(schemas).length)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it('names the members of every union of objects', () => {
    const unnamed = Object.entries({ schemas, paths: document.paths }).flatMap(([where, whole]) =>
      unnamedMembers(whole, where),
    )

    expect(unnamed).toEqual([])
    expect(unnamedMembers({ oneOf: [{ type: 'object', properties: {} }] }, 'one')).toEqual(['one'])
  })

  it.each(document.operations.map(({ operationId, answers }) => [operationId, answers] as const))(
    '%s answers in JSON with named schemas only',
    (_, answers) => {
      const json = Object.entries(answers).flatMap(([status, { content }]) =>
        status.startsWith('2') && content['application/json'] !== undefined ? [content['application/json'].schema] : [],
      )
      const parts = json.flatMap((schema) => Schema.parse(schema).oneOf ?? [schema])

      expect(parts.filter((schema) => !('$ref' in schema) && !isOpenObject(schema))).toEqual([])
    },
  )
})

const Sent = z.object({
  post: z.looseObject({
    operationId: z.string(),
    summary: z.string(),
    parameters: z.array(z.object({ $ref: z.string() })),
    requestBody: z.object({
      content: z.object({ 'application/json': z.looseObject({ schema: z.looseObject({}), example: z.unknown() }) }),
    }),
    responses: z.record(z.string(), z.object({ $ref: z.string() })),
  }),
})

describe('what is sent to webhooks', () => {
  const sent = z.record(z.string(), Sent).parse(JSON.parse(JSON.stringify(made.webhooks)))

  it('is every type of the feed, and the test', () => {
    expect(Object.keys(sent)).toEqual([...CHANGE_TYPES, 'webhook.test'])
    expect(new Set(Object.values(sent).map(({ post }) => post.operationId)).size).toBe(CHANGE_TYPES.length + 1)
  })

  it.each(Object.entries(sent))('%s: its body by an example, its headers, what the answers do', (type, { post }) => {
    const { schema, example } = post.requestBody.content['application/json']
    const check = document.closed(schema)

    expect(check(example)).toEqual([])
    expect(example).toMatchObject({ type })
    expect(check({ ...z.looseObject({}).parse(example), type: 'another' })).not.toEqual([])
    expect(JSON.stringify(schema)).toMatch(
      /"data":\{"\$ref":"#\/components\/schemas\/(?:Article|Cluster|Transition|Reception|Trend|Spike|Shift|Match|Digest|Test)Payload/,
    )
    expect(post.parameters.map(({ $ref }) => $ref.split('/').at(-1))).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ])
    expect(Object.keys(post.responses).sort()).toEqual(['2XX', '410', 'default'])
  })

  it('is said once: what all have in common only refers to it', () => {
    expect(JSON.stringify(made.webhooks)).not.toContain('HMAC')
    expect(JSON.stringify(made.webhooks).length / (CHANGE_TYPES.length + 1)).toBeLessThan(1_800)
  })
})

describe.each(
  document.operations.map((operation) => ({ ...operation, name: `${operation.method} ${operation.path}` })),
)('$name', ({ parameters, requestBody, answers, summary, path, ...operation }) => {
  it('has a name and a summary', () => {
    expect(operation.operationId ?? '').not.toBe('')
    expect(summary ?? '').toMatch(/^.{8,}$/)
  })

  it('shows an answer, and what has to be sent for it', () => {
    for (const [status, { content }] of Object.entries(answers)) {
      for (const media of Object.values(content)) {
        expect(document.examplesOf(media), `an example of ${status}`).not.toEqual([])
      }
    }
    for (const { name, required, ...parameter } of parameters) {
      if (required) expect(parameter.example ?? parameter.schema['example'], name).toBeDefined()
    }
    for (const media of Object.values(requestBody?.content ?? {})) expect(document.examplesOf(media)).not.toEqual([])
  })

  it('has examples that are as its schemas say', () => {
    for (const { content } of Object.values(answers)) {
      for (const media of Object.values(content)) {
        for (const { name, value } of document.examplesOf(media)) {
          expect(document.closed(media.schema)(value), name).toEqual([])
        }
      }
    }
    for (const media of Object.values(requestBody?.content ?? {})) {
      for (const { value } of document.examplesOf(media)) expect(document.closed(media.schema)(value)).toEqual([])
    }
    for (const { name, example, schema } of parameters) {
      if (example !== undefined) expect(document.open(schema)(example), name).toEqual([])
    }
  })

  it('names in its path the parameters that it describes', () => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)

    expect(parameters.flatMap(({ name, in: where }) => (where === 'path' ? [name] : []))).toEqual(inPath)
  })

  it('says how large a body may be, and which headers every answer has', () => {
    expect(operation['x-max-body-bytes'] !== undefined).toBe(requestBody !== undefined)
    for (const { headers } of Object.values(answers)) {
      expect(headers).toHaveProperty('X-Request-Id')
      for (const ref of Object.values(headers)) expect(document.header(ref).description).not.toBe('')
    }
  })
})

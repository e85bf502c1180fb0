import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { z } from 'zod'

const Ref = z.object({ $ref: z.string() })
const Media = z.looseObject({
  schema: z.looseObject({}),
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.unknown()).optional(),
})
const Header = z.looseObject({ schema: z.looseObject({}), required: z.boolean().optional(), description: z.string() })
const Response = z.looseObject({
  description: z.string(),
  headers: z.record(z.string(), z.unknown()).default({}),
  content: z.record(z.string(), Media).default({}),
})
const Parameter = z.looseObject({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean(),
  description: z.string().optional(),
  example: z.unknown().optional(),
  schema: z.looseObject({}),
})
const Operation = z.looseObject({
  operationId: z.string().optional(),
  summary: z.string().optional(),
  tags: z.array(z.string()),
  security: z.array(z.unknown()),
  'x-tier': z.enum(['open', 'starter', 'professional', 'enterprise']),
  'x-scope': z.enum(['open', 'read', 'write', 'curate', 'sources']),
  'x-rate-cost': z.enum(['request', 'poll', 'nothing']),
  'x-max-body-bytes': z.int().optional(),
  parameters: z.array(Parameter).default([]),
  requestBody: z.looseObject({ required: z.boolean(), content: z.record(z.string(), Media) }).optional(),
  responses: z.record(z.string(), z.unknown()),
})
const OpenApi = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ description: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({}),
})

export type Media = z.output<typeof Media>
export type Response = z.output<typeof Response>
export interface DocumentedOperation extends z.output<typeof Operation> {
  readonly method: string
  readonly path: string
  /** By status, whatever the document refers to put in its place. */
  readonly answers: Readonly<Record<string, Response>>
}

/** What is wrong with a value, a sentence a fault; none: it is as documented. */
type Check = (value: unknown) => readonly string[]

export interface ReadDocument extends z.output<typeof OpenApi> {
  readonly operations: readonly DocumentedOperation[]
  header(ref: unknown): z.output<typeof Header>
  /** The value an example stands for, references followed. */
  examplesOf(media: Media): readonly { readonly name: string; readonly value: unknown }[]
  /** As a client must send it: unknown fields are allowed. */
  open(schema: object): Check
  /** As the service answers: an object has no field that is not documented. */
  closed(schema: object): Check
}

/** An OpenAPI document as its reader understands it: this is all that the contract tests know of the service. */
export function readDocument(json: unknown): ReadDocument {
  const document = OpenApi.parse(withParameters(json))
  const follow = (value: unknown): unknown => {
    const ref = Ref.safeParse(value)
    return ref.success ? follow(at(document, ref.data.$ref)) : value
  }
  const [open, closed] = [checks(document), checks(closing(document))]
  return {
    ...document,
    operations: Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const answers = Object.entries(operation.responses).map(
          ([status, response]) => [status, Response.parse(follow(response))] as const,
        )
        return { ...operation, method, path, answers: Object.fromEntries(answers) }
      }),
    ),
    header: (ref) => Header.parse(follow(ref)),
    examplesOf: ({ example, examples = {} }) => [
      ...(example === undefined ? [] : [{ name: 'example', value: example }]),
      ...Object.entries(examples).map(([name, one]) => ({
        name,
        value: z.object({ value: z.unknown() }).parse(follow(one)).value,
      })),
    ],
    open: (schema) => open(schema),
    closed: (schema) => closed(closing(schema)),
  }
}

const WithReferences = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ parameters: z.array(z.unknown()).default([]) }))),
})

/** The same with every parameter in the place of the reference to it. */
function withParameters(json: unknown): unknown {
  const document = WithReferences.parse(json)
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    operation.parameters = operation.parameters.map((one) => {
      const ref = Ref.safeParse(one)
      return ref.success ? at(document, ref.data.$ref) : one
    })
  }
  return document
}

function at(document: unknown, ref: string): unknown {
  const steps = ref.replace('#/', '').split('/')
  return steps.reduce<unknown>((value, step) => z.looseObject({}).parse(value)[step], document)
}

function checks(document: { components: object }): (schema: object) => Check {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema({ $id: 'document', components: document.components })
  const known = new Map<string, ReturnType<Ajv2020['compile']>>()
  return (schema) => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')
    const validate = known.get(text) ?? ajv.compile(z.looseObject({}).parse(JSON.parse(text)))
    known.set(text, validate)
    return (value) => (validate(value) ? [] : (validate.errors ?? []).map(sentence))
  }
}

const sentence = ({ instancePath, message = '', params }: ErrorObject): string =>
  `${instancePath === '' ? '(whole)' : instancePath} ${message} ${JSON.stringify(params)}`

/** The same with every object that says nothing of further fields saying that there are none. */
function closing<Whole>(whole: Whole): Whole {
  if (Array.isArray(whole)) return whole.map(closing) as Whole
  if (typeof whole !== 'object' || whole === null) return whole
  const closed = Object.fromEntries(
    Object.entries(whole).map(([name, value]) => [name, name.startsWith('example') ? value : closing<unknown>(value)]),
  )
  const isObject = 'properties' in closed && closed['type'] !== undefined && !('additionalProperties' in closed)
  return (isObject ? { ...closed, additionalProperties: false } : closed) as Whole
}

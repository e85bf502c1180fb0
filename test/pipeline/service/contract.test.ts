import { readFile, writeFile } from 'node:fs/promises'
import { format } from 'prettier'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describedRoutes } from '../../../src/api/described-routes.ts'
import { readDocument, type DocumentedOperation, type ReadDocument } from '../../builders/documented-operations.ts'
import { ExampleFile, ExampleRecorder } from '../../builders/recorded-examples.ts'
import { GOOD, type CaseFacts, type GoodCall } from './contract-cases.ts'
import { fillForContract, type ContractKeys } from './contract-service.ts'
import { sharedStory } from './shared-story.ts'
import type { StoryService } from '../story.ts'

let story: StoryService
let document: ReadDocument
let facts: CaseFacts
let keys: ContractKeys
let recorder: ExampleRecorder

const NAMESPACE = 'contract'

const EXAMPLES = 'src/api/http/openapi/examples.json'
/** Their responses are documents, streams or need an outlet; the examples are written by hand. */
const NOT_RECORDED: ReadonlySet<string> = new Set([
  'getOpenApiDocument',
  'getAsyncApiDocument',
  'streamChanges',
  'testFeed',
])

/** The service with the whole sample and its posts, in a namespace whose keys may correct stories. */
beforeAll(async () => {
  story = await sharedStory(NAMESPACE)
  ;({ facts, keys } = await fillForContract(story, NAMESPACE))
  document = readDocument(await (await fetch(`${story.url}/openapi.json`)).json())
  recorder = new ExampleRecorder((await exampleFile()).operations)
}, 900_000)

const exampleFile = async () => ExampleFile.parse(JSON.parse(await readFile(EXAMPLES, 'utf8')))

/** `RECORD_EXAMPLES=1` (`make examples`) writes the responses as the examples of the OpenAPI document. */
afterAll(async () => {
  if (process.env['RECORD_EXAMPLES'] !== '1') return
  const file = { ...(await exampleFile()), operations: recorder.recorded() }
  await writeFile(EXAMPLES, await format(JSON.stringify(file, null, 2), { parser: 'json', printWidth: 120 }))
})

interface CallOptions extends GoodCall {
  readonly key?: string | null
  /** In place of the JSON of `body`. */
  readonly raw?: string
}

/** The response; only the beginning of a stream is read. */
async function call(operation: DocumentedOperation, { params = {}, query = {}, body, raw, key }: CallOptions) {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const text = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(`${story.url}${path}?${new URLSearchParams(query).toString()}`, {
    method: operation.method.toUpperCase(),
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key ?? keys.curator}` }),
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(text === undefined ? {} : { body: text }),
  })
  const type = response.headers.get('content-type')
  const isStream = type === 'text/event-stream'
  if (isStream) await response.body?.cancel()
  return { status: response.status, headers: response.headers, type, text: isStream ? null : await response.text() }
}

type CallAnswer = Awaited<ReturnType<typeof call>>

/** Differences between a response and the document. */
function faults(operation: DocumentedOperation, { status, headers, type, text }: CallAnswer): readonly string[] {
  const documented = operation.answers[status]
  if (documented === undefined) return [`${status} is not documented: ${text ?? ''}`]

  const inHeaders = Object.entries(documented.headers).flatMap(([name, ref]) => {
    const { schema, required } = document.header(ref)
    const value = headers.get(name)
    if (value === null) return required === true ? [`${status}: no header ${name}`] : []
    return document
      .open(schema)(schema['type'] === 'integer' ? Number(value) : value)
      .map((fault) => `${name}: ${fault}`)
  })
  if (Object.keys(documented.content).length === 0) {
    return [...inHeaders, ...(text === '' ? [] : [`${status}: a body where none is documented`])]
  }
  const media = documented.content[type ?? '']
  if (media === undefined) return [...inHeaders, `${status}: ${type} is no documented type`]
  return [...inHeaders, ...(text === null ? [] : document.closed(media.schema)(JSON.parse(text)))]
}

const goodCalls = ({ operationId = '' }: DocumentedOperation): readonly GoodCall[] => {
  const made = GOOD[operationId]?.(facts)
  if (made === undefined) throw new Error(`there is no good call of ${operationId}: add one to contract-cases.ts`)
  return [made].flat()
}

const names = describedRoutes('0').flatMap(({ operationId, forPeople }) => (forPeople ? [] : [operationId ?? '']))

/** In the document's order, so that deletions come last. */
const operation = (name: string): DocumentedOperation => {
  const found = document.operations.find(({ operationId }) => operationId === name)
  if (found === undefined) throw new Error(`the service does not document ${name}`)
  return found
}

it('has a valid call of every operation, and no other', () => {
  expect(Object.keys(GOOD).sort()).toEqual(document.operations.map(({ operationId }) => operationId).sort())
  expect([...names].sort()).toEqual(Object.keys(GOOD).sort())
})

it.each(names)('%s responds as documented', async (name) => {
  const documented = operation(name)
  for (const good of goodCalls(documented)) {
    const answer = await call(documented, good)

    expect(faults(documented, answer)).toEqual([])
    expect(good.answers ?? [200, 201, 202, 204], answer.text ?? '').toContain(answer.status)
    record(name, good, answer)
    if (documented['x-rate-cost'] !== 'nothing') expect(answer.headers.get('ratelimit')).not.toBeNull()
    if (answer.status === 200 && documented.answers['304'] !== undefined) {
      expect(answer.headers.get('etag')).not.toBeNull()
    }
  }
})

function record(name: string, { params, query, body }: GoodCall, { status, text }: CallAnswer): void {
  if (NOT_RECORDED.has(name) || status >= 300 || text === null || text === '') return
  const sent = { ...(params && { params }), ...(query && { query }), ...(body === undefined ? {} : { body }) }
  recorder.add(name, sent, JSON.parse(text))
}

it.each(names)('%s rejects as documented', async (name) => {
  const documented = operation(name)
  const [good = {}] = goodCalls(documented)
  const taken = [
    ...(documented['x-tier'] === 'open' ? [] : [await call(documented, { ...good, key: null })]),
    ...(documented['x-tier'] === 'professional' ? [await call(documented, { ...good, key: keys.starter })] : []),
    ...(await withoutScope(documented, good)),
    ...(await badParameters(documented, good)),
    ...(await unknownIds(documented, good)),
    ...(await badBodies(documented, good)),
  ]

  expect(taken.flatMap((answer) => faults(documented, answer))).toEqual([])
  expect(taken.filter(({ status }) => status >= 500)).toEqual([])
})

async function withoutScope(operation: DocumentedOperation, good: GoodCall): Promise<readonly CallAnswer[]> {
  const { 'x-scope': scope } = operation
  if (scope === 'open' || scope === 'read') return []
  const answer = await call(operation, { ...good, key: keys.readOnly })
  expect(JSON.parse(answer.text ?? '')).toMatchObject({ status: 403, required_scope: scope })
  return [answer]
}

async function badParameters(operation: DocumentedOperation, good: GoodCall): Promise<readonly CallAnswer[]> {
  const bounded = operation.parameters.filter(
    ({ in: where, schema }) =>
      where === 'query' && (schema['type'] !== 'string' || 'enum' in schema || 'format' in schema),
  )
  return Promise.all(
    bounded.map(async ({ name }) => {
      const answer = await call(operation, { ...good, query: { ...good.query, [name]: 'no such value' } })
      expect([name, answer.status]).toEqual([name, 422])
      return answer
    }),
  )
}

async function unknownIds(operation: DocumentedOperation, good: GoodCall): Promise<readonly CallAnswer[]> {
  const inPath = operation.parameters.filter(({ in: where }) => where === 'path')
  return Promise.all(
    inPath.map(async ({ name }) => {
      const answer = await call(operation, { ...good, params: { ...good.params, [name]: 'nobody_knows_this' } })
      expect([name, answer.status]).toEqual([name, 404])
      return answer
    }),
  )
}

async function badBodies(operation: DocumentedOperation, good: GoodCall): Promise<readonly CallAnswer[]> {
  const most = operation['x-max-body-bytes']
  if (most === undefined) return []
  const malformed = await call(operation, { ...good, raw: '{"' })
  const wrong = await call(operation, { ...good, raw: '17' })
  const large = await call(operation, { ...good, raw: JSON.stringify({ text: 'x'.repeat(most) }) })
  expect([malformed.status, wrong.status, large.status]).toEqual([422, 422, 413])
  return [malformed, wrong, large]
}

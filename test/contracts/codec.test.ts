import { expect, inject, it } from 'vitest'
import { RegistryCodec } from '../../src/adapters/registry/codec.ts'
import { framed } from '../../src/adapters/wire-format.ts'
import { anOdd, codecContract, oddSchema, oddTopic } from './codec.ts'

const started = Date.now()

interface Schema {
  fields: { name: string; type?: unknown; default?: unknown }[]
}

/** A schema that another writer registers for `oddTopic`. */
const changed = (change: (fields: Schema['fields']) => Schema['fields']): string => {
  const schema = JSON.parse(oddSchema) as Schema
  return JSON.stringify({ ...schema, fields: change(schema.fields) })
}

const codecOf = (schema: string) => new RegistryCodec({ url: inject('engines').registryUrl, schemaOf: () => schema })

codecContract('through the registry', async () => ({ codec: codecOf(oddSchema), name: `contract.codec-${started}` }))

it('reads records of older and newer writers, resolved into its own schema', async () => {
  const topic = oddTopic(`contract.codec-newer-${started}`)
  const ours = codecOf(oddSchema)
  await ours.encode(topic, anOdd())
  const newer = codecOf(changed((fields) => [...fields, { name: 'more', type: 'string', default: '' }]))
  const older = codecOf(changed((fields) => fields.filter(({ name }) => name !== 'names')))

  const decoded = await Promise.all(
    [newer, older].map(async (codec) => {
      const value = await codec.encode(topic, Object.assign(anOdd(), { more: 'x' }))
      const it = await ours.decode(topic, value)
      return it.kind === 'event' ? { names: it.event.names, hasMore: 'more' in it.event, id: it.event.event_id } : it
    }),
  )

  expect(decoded).toEqual([
    { names: { a: 'b' }, hasMore: false, id: 'evt_1' },
    { names: {}, hasMore: false, id: 'evt_1' },
  ])
})

it('rejects a schema that is incompatible with its history', async () => {
  const topic = oddTopic(`contract.codec-broken-${started}`)
  await codecOf(oddSchema).encode(topic, anOdd())
  const broken = codecOf(changed((fields) => [...fields, { name: 'demanded', type: 'string' }]))

  await expect(broken.encode(topic, Object.assign(anOdd(), { demanded: 'x' }))).rejects.toThrow(
    /did not accept the schema/,
  )
})

it('returns `schema_mismatch` for a record of another type', async () => {
  const topic = oddTopic(`contract.codec-kind-${started}`)
  const ours = codecOf(oddSchema)
  const theirs = new RegistryCodec({
    url: inject('engines').registryUrl,
    schemaOf: () => JSON.stringify({ type: 'record', name: 'Other', fields: [{ name: 'event_id', type: 'long' }] }),
  })
  const value = await theirs.encode(
    oddTopic(`contract.codec-other-${started}`),
    Object.assign(anOdd(), { event_id: 7 }),
  )

  expect(await ours.decode(topic, value)).toMatchObject({ kind: 'malformed', reason: 'schema_mismatch' })
})

it('throws if the registry is unavailable, instead of rejecting the record', async () => {
  const away = new RegistryCodec({ url: 'http://127.0.0.1:9', schemaOf: () => oddSchema })

  await expect(away.decode(oddTopic('contract.away'), framed(1, Buffer.alloc(3)))).rejects.toThrow(/registry/)
  await expect(away.encode(oddTopic('contract.away'), anOdd())).rejects.toThrow(/registry/)
})

it("decodes fast once it has the writer's schema", async () => {
  const topic = oddTopic(`contract.codec-fast-${started}`)
  const codec = codecOf(oddSchema)
  const value = await codec.encode(topic, anOdd({ bytes: Buffer.alloc(1536) }))
  const took: number[] = []
  for (let tries = 0; tries < 3; tries++) {
    const before = process.cpuUsage()
    for (let i = 0; i < 20_000; i++) await codec.decode(topic, value)
    took.push(process.cpuUsage(before).user)
  }

  expect(Math.min(...took)).toBeLessThan(1_000_000)
})

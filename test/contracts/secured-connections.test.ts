import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import kafkajs, { type AclEntry } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { kafkaAdmin } from '../../src/adapters/kafka/client.ts'
import { topicAdmin } from '../../src/adapters/kafka/admin.ts'
import { KafkaLog } from '../../src/adapters/kafka/kafka-log.ts'
import { RegistryCodec } from '../../src/adapters/registry/codec.ts'
import { schemaText as schemaTextOf } from '../../src/adapters/registry/register.ts'
import { framed } from '../../src/adapters/wire-format.ts'
import { doctorChecks } from '../../src/operations/doctor-checks.ts'
import { loadConfig } from '../../src/config/config.ts'
import { fetchEngines } from '../../src/engines/fetch.ts'
import { anyFreePort } from '../../src/engines/free-port.ts'
import { kafkaEngine } from '../../src/engines/kafka.ts'
import { type Supervised, supervise } from '../../src/engines/supervise.ts'
import { aCertificate } from '../builders/certificate.ts'
import { projectPath } from '../../src/config/project-path.ts'
import { grants, type Grant } from '../../src/operations/topic-acls.ts'
import { readTopicFiles } from '../../src/config/topics.ts'
import { anOdd, oddSchema, oddTopic } from './codec.ts'

// Node finds only some names of this CommonJS package, the rest hang on its default export.
const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs

const { key, cert } = aCertificate('localhost')
const PASSWORD = 'a password of this test'
const [home, elsewhere] = [mkdtempSync(join(tmpdir(), 'story-secured-')), aCertificate('localhost').cert]
const [caFile, otherFile] = [join(home, 'authority.pem'), join(home, 'other.pem')]

/** A value in a properties file must be on one line. */
const onOneLine = (pem: string): string => pem.trim().replaceAll('\n', '\\n')

/** A grant as entries of the broker, for all topics. */
const entriesOf = ({ principal, names, operations }: Grant): AclEntry[] =>
  names.flatMap((resourceName) =>
    operations.map((operation) => ({
      ...{ resourceType: AclResourceTypes.TOPIC, resourceName, resourcePatternType: ResourcePatternTypes.LITERAL },
      ...{ principal: `User:story_${principal}`, host: '*', permissionType: AclPermissionTypes.ALLOW },
      operation: operation === 'Read' ? AclOperationTypes.READ : AclOperationTypes.WRITE,
    })),
  )

const loginModule = 'org.apache.kafka.common.security'
const properties = [
  'listener.name.second.ssl.keystore.type=PEM',
  `listener.name.second.ssl.keystore.certificate.chain=${onOneLine(cert)}`,
  `listener.name.second.ssl.keystore.key=${onOneLine(key)}`,
  'listener.name.second.sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-512',
  `listener.name.second.plain.sasl.jaas.config=${loginModule}.plain.PlainLoginModule required user_story="${PASSWORD}" user_story_connectors="${PASSWORD}";`,
  `listener.name.second.scram-sha-512.sasl.jaas.config=${loginModule}.scram.ScramLoginModule required;`,
  'authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer',
  // without a login, as the broker itself and its first listener are here
  'super.users=User:ANONYMOUS;User:story',
]

describe('a broker that requires TLS and a password', () => {
  let kafka: Supervised
  let environment: Readonly<Record<string, string>>
  const configured = (more: Readonly<Record<string, string>> = {}) => loadConfig({ ...environment, ...more })

  beforeAll(async () => {
    writeFileSync(caFile, cert)
    writeFileSync(otherFile, elsewhere)
    const { kafkaJars: jars } = await fetchEngines(inject('engines').cache, () => undefined)
    const [port, secured] = [await anyFreePort(), await anyFreePort()]
    const directory = join(realpathSync(home), 'kafka')
    const second = { port: secured, advertised: `localhost:${secured}`, protocol: 'SASL_SSL', properties } as const
    kafka = await supervise(
      kafkaEngine({ directory, log: join(home, 'kafka.log'), jars, port, second }),
      () => undefined,
    )
    const scram = ['--entity-type', 'users', '--entity-name', 'story', '--alter', '--add-config']
    const response = [...scram, `SCRAM-SHA-512=[password=${PASSWORD}]`, '--bootstrap-server', `127.0.0.1:${port}`]
    await promisify(execFile)('java', ['-cp', join(jars, '*'), 'kafka.admin.ConfigCommand', ...response])
    environment = {
      ...{ STORY_HOME: home, KAFKA_BROKERS: `localhost:${secured}`, KAFKA_TLS: '1', KAFKA_TLS_CA_FILE: caFile },
      ...{ KAFKA_SASL: 'scram-sha-512', KAFKA_USER: 'story', KAFKA_PASSWORD: PASSWORD },
    }
  })
  afterAll(async () => {
    await kafka.stop()
    rmSync(home, { recursive: true, force: true })
  })

  it.each(['plain', 'scram-sha-512'])(
    'supports administration, writing and reading in a group (%s)',
    async (mechanism) => {
      const access = configured({ KAFKA_SASL: mechanism }).kafka
      const topic = `secured.${mechanism}`
      const admin = await topicAdmin(access)
      await admin.apply([{ kind: 'create', topic: { name: topic, partitions: 1, config: {} } }])
      expect((await admin.existing()).map(({ name }) => name)).toContain(topic)
      await admin.close()

      const log = new KafkaLog({ ...access, clientId: 'secured' })
      const heard: string[] = []
      const consumer = await log.consume(
        { group: topic, topics: [topic], minBytes: 1, maxWaitMs: 100, onCrash: (cause) => heard.push(String(cause)) },
        async ({ records }) => {
          heard.push(...records.map(({ value }) => String(value)))
          await Promise.resolve()
        },
      )
      await log.produce([{ topic, key: 'k', value: Buffer.from('told') }])
      await vi.waitFor(() => expect(heard).toEqual(['told']), { timeout: 20_000, interval: 50 })
      expect(await log.ends(topic)).toEqual([1])
      await consumer.stop()
      await log.close()
    },
  )

  it('with the ACLs of `story topics acls` lets connectors write posts but not keys', async () => {
    const [posts, keys] = ['discourse.posts', 'keys.changed']
    const admin = await topicAdmin(configured().kafka)
    await admin.apply([posts, keys].map((name) => ({ kind: 'create', topic: { name, partitions: 1, config: {} } })))
    await admin.close()
    const own = grants(readTopicFiles(projectPath('topics'))).filter(({ principal }) => principal === 'connectors')
    const asAdmin = await kafkaAdmin(configured().kafka, 'acls')
    await asAdmin.createAcls({ acl: own.flatMap(entriesOf) })
    await asAdmin.disconnect()

    const access = configured({ KAFKA_SASL: 'plain', KAFKA_USER: 'story_connectors' }).kafka
    const log = new KafkaLog({ ...access, clientId: 'connectors' })
    const record = { key: 'k', value: Buffer.from('v') }
    await log.produce([{ ...record, topic: posts }])
    expect(await log.ends(posts)).toEqual([1])
    await expect(log.produce([{ ...record, topic: keys }])).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/not authorized/i) as string },
    })
    await log.close()
  })

  it.each([
    ['a wrong password', { KAFKA_PASSWORD: 'another' }, /authentication failed/i],
    ['an untrusted certificate', { KAFKA_TLS_CA_FILE: otherFile }, /certificate/i],
  ])('is reported by the doctor to reject %s', async (_, more, says) => {
    const found = await doctorChecks(configured(more))['kafka']?.()
    expect(found).toEqual({ ok: false, says: expect.stringMatching(says) as string })
    expect(found?.says).not.toContain(PASSWORD)
  })
})

describe('a registry that requires a login', () => {
  const auth = { username: 'story', password: PASSWORD }
  const right = `Basic ${Buffer.from(`story:${PASSWORD}`).toString('base64')}`
  const door = createServer((request, response) => {
    void through(request).then(async (answer) => {
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    })
  })
  /** The response of the real registry, if the request has the login. */
  async function through(request: IncomingMessage): Promise<Response> {
    const { method = 'GET', url: path = '', headers } = request
    if (headers.authorization !== right) return Response.json({ error_code: 40101 }, { status: 401 })
    const sent = await buffer(request)
    const type = { 'content-type': headers['content-type'] ?? 'application/json' }
    const { origin } = new URL(inject('engines').registryUrl)
    return fetch(`${origin}${path}`, { method, headers: type, ...(sent.length === 0 ? {} : { body: sent }) })
  }
  let url: string

  beforeAll(async () => {
    await once(door.listen(0, '127.0.0.1'), 'listening')
    url = `http://127.0.0.1:${(door.address() as AddressInfo).port}${new URL(inject('engines').registryUrl).pathname}`
  })
  afterAll(() => {
    door.close()
  })

  it('accepts writes, reads and requests for unregistered ids with the login', async () => {
    const codec = new RegistryCodec({ url, auth, schemaOf: () => oddSchema })
    const topic = oddTopic(`secured.codec-${Date.now()}`)
    const value = await codec.encode(topic, anOdd())
    const reader = new RegistryCodec({ url, auth, schemaOf: () => oddSchema })
    expect(await reader.decode(topic, value)).toMatchObject({ kind: 'event' })
    const unknown = await reader.decode(topic, framed(2_000_000_000, Buffer.alloc(3)))
    expect(unknown).toEqual({ kind: 'malformed', reason: 'unknown_schema' })
    expect(await schemaTextOf({ url, auth }, value.readInt32BE(1))).toContain('"fields"')
  })

  it('rejects requests without the login, as the doctor reports', async () => {
    const stranger = new RegistryCodec({ url, schemaOf: () => oddSchema })
    await expect(stranger.encode(oddTopic(`secured.stranger-${Date.now()}`), anOdd())).rejects.toThrow(/registry/)
    const doctor = async (more: Readonly<Record<string, string>>) =>
      doctorChecks(loadConfig({ STORY_HOME: home, REGISTRY_URL: url, ...more }))['registry']?.()
    expect(await doctor({})).toEqual({ ok: false, says: expect.stringContaining('status 401') as string })
    expect(await doctor({ REGISTRY_USER: 'story', REGISTRY_PASSWORD: PASSWORD })).toMatchObject({ ok: true })
  })
})

import { readFileSync } from 'node:fs'
import { z } from 'zod'

const flag = z.enum(['0', '1']).transform((value) => value === '1')

/** Variables with the addresses and credentials of Kafka and the schema registry. */
export const kafkaVariables = {
  KAFKA_BROKERS: z.string().default('127.0.0.1:19092'),
  /**
   * TLS to the brokers. Their certificates are verified with the system's authorities, or those in KAFKA_TLS_CA_FILE.
   */
  KAFKA_TLS: flag.default(false),
  KAFKA_TLS_CA_FILE: z.string().optional(),
  /** Client certificate, if the brokers require one. */
  KAFKA_TLS_CERT_FILE: z.string().optional(),
  KAFKA_TLS_KEY_FILE: z.string().optional(),
  KAFKA_SASL: z.enum(['none', 'plain', 'scram-sha-256', 'scram-sha-512']).default('none'),
  KAFKA_USER: z.string().optional(),
  KAFKA_PASSWORD: z.string().optional(),
  REGISTRY_URL: z.url().default('http://127.0.0.1:8081/apis/ccompat/v7'),
  REGISTRY_USER: z.string().optional(),
  REGISTRY_PASSWORD: z.string().optional(),
} as const

/** Empty credentials, for local engines on the loopback address, which have no access control. */
export const openEngines: Readonly<Record<Exclude<keyof typeof kafkaVariables, 'KAFKA_BROKERS' | 'REGISTRY_URL'>, ''>> =
  {
    ...{ KAFKA_TLS: '', KAFKA_TLS_CA_FILE: '', KAFKA_TLS_CERT_FILE: '', KAFKA_TLS_KEY_FILE: '' },
    ...{ KAFKA_SASL: '', KAFKA_USER: '', KAFKA_PASSWORD: '', REGISTRY_USER: '', REGISTRY_PASSWORD: '' },
  }

const bad = (what: string): Error => new Error(`Bad configuration\n${what}`)

type Variables = z.output<z.ZodObject<typeof kafkaVariables>>

/** Throws an error that names the invalid variable. */
export const kafka = ({ TOPIC_SUFFIX: topicSuffix, ...value }: Variables & { readonly TOPIC_SUFFIX: string }) => ({
  brokers: value.KAFKA_BROKERS.split(','),
  ...(topicSuffix === '' ? {} : { topicSuffix }),
  ...ssl(value),
  ...sasl(value),
})

/** Throws an error that names the invalid variable. */
export function registry({ REGISTRY_URL: url, REGISTRY_USER: username, REGISTRY_PASSWORD: password }: Variables) {
  if (username === undefined && password === undefined) return { url }
  if (username === undefined || password === undefined) {
    throw bad('REGISTRY_USER and REGISTRY_PASSWORD go together: one of them is not set')
  }
  return { url, auth: { username, password } }
}

const FILES = { ca: 'KAFKA_TLS_CA_FILE', cert: 'KAFKA_TLS_CERT_FILE', key: 'KAFKA_TLS_KEY_FILE' } as const

function ssl(value: Variables) {
  const named = Object.entries(FILES).flatMap(([name, variable]) => {
    const file = value[variable]
    return file === undefined ? [] : [{ name, variable, file }]
  })
  if (!value.KAFKA_TLS) {
    if (named.length > 0) throw bad('a KAFKA_TLS_…_FILE is set, but KAFKA_TLS is not 1')
    return {}
  }
  if (named.filter(({ name }) => name !== 'ca').length === 1) {
    throw bad('KAFKA_TLS_CERT_FILE and KAFKA_TLS_KEY_FILE go together: one of them is not set')
  }
  const files: Partial<Record<keyof typeof FILES, string>> = Object.fromEntries(
    named.map(({ name, variable, file }) => [name, pem(variable, file)]),
  )
  return { ssl: named.length === 0 ? (true as const) : files }
}

/** Reads a certificate file at once, so that an error is reported before anything connects. */
function pem(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Error(`Bad configuration\n${variable}: ${file} cannot be read`, { cause })
  }
}

function sasl({ KAFKA_SASL: mechanism, KAFKA_TLS: isEncrypted, ...value }: Variables) {
  const { KAFKA_USER: username, KAFKA_PASSWORD: password } = value
  if (mechanism === 'none') {
    if (username ?? password) throw bad('KAFKA_USER or KAFKA_PASSWORD is set, but no KAFKA_SASL')
    return {}
  }
  if (username === undefined || password === undefined) {
    throw bad(`KAFKA_SASL is ${mechanism}: KAFKA_USER and KAFKA_PASSWORD have to be set too`)
  }
  if (mechanism === 'plain' && !isEncrypted) {
    throw bad('KAFKA_SASL is plain, which sends the password as it is: set KAFKA_TLS to 1, or use scram-sha-512')
  }
  return { sasl: { mechanism, username, password } as const }
}

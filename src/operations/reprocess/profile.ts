import { createHash } from 'node:crypto'

/** What an event says, field by field, small enough to keep of every event of a topic; of long values their hash. */
export type Profile = ReadonlyMap<string, number | string>

/** The origin and the producer of an event, which differ between two versions by their nature. */
const ENVELOPE = new Set(['event_id', 'caused_by', 'produced_by'])

/** Longer texts are kept as a hash. */
const SHORT = 40

/** An event's fields, those of what lies in it one level down as `quality.depth`. */
export function profileOf(event: object): Profile {
  const profile = new Map<string, number | string>()
  for (const [name, value] of Object.entries(event) as [string, unknown][]) {
    if (ENVELOPE.has(name)) continue
    if (!isRecord(value)) profile.set(name, rendered(value))
    else for (const [inner, part] of Object.entries(value)) profile.set(`${name}.${inner}`, rendered(part))
  }
  return profile
}

/** One short text for all that an event says: equal content, equal digest. */
export const digestOf = (profile: Profile): string => hash(JSON.stringify([...profile]))

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value)

function rendered(value: unknown): number | string {
  if (typeof value === 'number') return value
  if (Buffer.isBuffer(value)) return hash(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > SHORT ? hash(text) : text
}

const hash = (of: string | Buffer): string => createHash('sha256').update(of).digest('base64url').slice(0, 16)

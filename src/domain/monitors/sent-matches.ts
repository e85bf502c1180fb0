import { z } from 'zod'
import type { ChangePublished, DigestPayload, MatchPayload } from '../../events/changes.ts'
import type { SentMatches } from './message-content.ts'

// the stage that publishes changes writes `data` according to its type
const match = z.custom<MatchPayload>()
const digest = z.custom<DigestPayload>()

/**
 * The matches that the channels of a monitor receive with a change. `null` if they receive none: it is another change,
 * or a match that is held back for a digest.
 */
export function sentMatches({ type, data }: Pick<ChangePublished, 'type' | 'data'>): SentMatches | null {
  if (type === 'monitor.digest') return digest.parse(JSON.parse(data))
  if (type !== 'monitor.matched') return null
  const { held, monitor_name, story } = match.parse(JSON.parse(data))
  return held ? null : { monitor_name, stories: [story] }
}

import type { PlatformPolled } from '../../events/discourse.ts'
import { PlatformAway, Limited, type PlatformTrouble } from './platform.ts'

type Went = Pick<PlatformPolled, 'outcome' | 'detail'>

export const OK: Went = { outcome: 'ok', detail: null }

/** A trouble as `discourse.polled` records it. */
export function howItWent(trouble: PlatformTrouble): Went {
  const { detail } = trouble
  if (trouble instanceof Limited) return { outcome: 'limited', detail }
  return { outcome: trouble instanceof PlatformAway ? 'failed' : 'refused', detail }
}

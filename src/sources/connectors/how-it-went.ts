import type { PlatformPolled } from '../../events/discourse.ts'
import { Away, Limited, type Trouble } from './platform.ts'

type Went = Pick<PlatformPolled, 'outcome' | 'detail'>

export const OK: Went = { outcome: 'ok', detail: null }

/** A trouble as `discourse.polled` tells it. */
export function howItWent(trouble: Trouble): Went {
  const { detail } = trouble
  if (trouble instanceof Limited) return { outcome: 'limited', detail }
  return { outcome: trouble instanceof Away ? 'failed' : 'refused', detail }
}

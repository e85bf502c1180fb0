import { ForbiddenAddress, type Outbound } from '../../ports/http.ts'
import { includes, type Caller } from '../http/keys/caller.ts'
import { problem, type Problem } from '../http/problem.ts'

/** Of Echo, which a starter key does not include. */
const NEEDS_PROFESSIONAL = new Set(['story.enriched'])

/** Null: the caller's tier includes all of these types. */
export function tierProblem(types: readonly string[], { tier }: Pick<Caller, 'tier'>): Problem | null {
  const beyond = includes(tier, 'professional') ? undefined : types.find((type) => NEEDS_PROFESSIONAL.has(type))
  return beyond === undefined
    ? null
    : problem('tier_restricted', `${beyond} requires a professional key; yours is ${tier}`)
}

/** Null: deliveries may go there, as far as is known now. What exactly is wrong with an address is nobody's to learn. */
export async function addressProblem(url: string, outbound: Pick<Outbound, 'check'>): Promise<Problem | null> {
  try {
    await outbound.check(url)
    return null
  } catch (cause) {
    if (!(cause instanceof ForbiddenAddress)) throw cause
    const message = 'deliveries go to https and public addresses only'
    return problem('url_not_allowed', `url: ${message}`, { errors: [{ path: 'url', message }] })
  }
}

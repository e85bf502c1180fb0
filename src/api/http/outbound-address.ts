import { ForbiddenAddress, type Outbound } from '../../ports/http.ts'
import { problem, type Problem } from './problem.ts'

/** A URL of a request body, and the path of its field: `url`, `channels[0].url`. */
interface GivenAddress {
  readonly url: string
  readonly path: string
}

/**
 * `null` if deliveries to the URL are allowed according to the current check. The response does not reveal why an
 * address is refused.
 */
export async function addressProblem(
  { url, path }: GivenAddress,
  outbound: Pick<Outbound, 'check'>,
): Promise<Problem | null> {
  try {
    await outbound.check(url)
    return null
  } catch (cause) {
    if (!(cause instanceof ForbiddenAddress)) throw cause
    const message = 'deliveries go to https and public addresses only'
    return problem('url_not_allowed', `${path}: ${message}`, { errors: [{ path, message }] })
  }
}

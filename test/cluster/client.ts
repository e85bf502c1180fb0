import { z } from 'zod'
import { askCli } from '../../src/wiring/up/service.ts'
import { untilAccepted } from '../../src/wiring/up/steps.ts'
import type { LocalCluster } from './cluster.ts'

/** What a client of the API needs. */
export interface ClusterClient {
  readonly namespace: string
  readonly url: string
  readonly key: string
}

const Created = z.object({ key: z.string() })

/** A client of a namespace, which reads it at the balancer. */
export async function clientOf(
  { cli, balancer: { url } }: Pick<LocalCluster, 'cli' | 'balancer'>,
  namespace: string,
): Promise<ClusterClient> {
  const args = ['keys', 'create', '--tier', 'enterprise', '--private', namespace, '--no-analyst', '--json']
  const { key } = Created.parse(JSON.parse(await askCli(cli, args)))
  await untilAccepted(url, key)
  return { namespace, url, key }
}

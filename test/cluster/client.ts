import { createKey } from '../../src/wiring/up/steps.ts'
import type { LocalCluster } from './cluster.ts'

/** What a client of the API needs. */
export interface ClusterClient {
  readonly namespace: string
  readonly url: string
  readonly key: string
}

/** A client of a namespace, which reads it at the balancer. */
export async function clientOf(
  { cli, balancer: { url } }: Pick<LocalCluster, 'cli' | 'balancer'>,
  namespace: string,
): Promise<ClusterClient> {
  return { namespace, url, key: await createKey(cli, url, ['--private', namespace, '--no-analyst']) }
}

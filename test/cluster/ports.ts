import { freePort } from '../../src/engines/free-port.ts'

/**
 * Free ports on the loopback address, each the next one from `first`. Below the range that the system takes for outgoing
 * connections, since a server that is started again needs its port again.
 */
export function portsFrom(first: number): () => Promise<number> {
  const given = new Set<number>()
  let last: Promise<number> = Promise.resolve(first)
  const next = async (): Promise<number> => {
    const port = await freePort({ variable: 'the ports of the cluster', set: undefined, preferred: first }, given)
    given.add(port)
    return port
  }
  // one after the other: two searches at once would find the same port
  return () => (last = last.then(next))
}

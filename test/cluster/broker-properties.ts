/** Where one broker listens on the loopback address. */
export interface BrokerPorts extends Listeners {
  /** Where clients and the other brokers find the listeners, if not there. */
  readonly advertised?: Listeners
}

interface Listeners {
  readonly client: number
  readonly replication: number
  readonly controller: number
}

export interface BrokerPlace {
  readonly node: number
  readonly zone: string
  /** Of all brokers, the first is node 1. */
  readonly ports: readonly BrokerPorts[]
  readonly data: string
  /** Private key and certificate. */
  readonly keystore: string
}

/**
 * What a machine of two cores and brokers of 320 MB need and a server does not: the broker reserves these buffers whether
 * it needs them or not. No line decides what is acknowledged or kept.
 */
const SMALL = [
  'num.network.threads=2',
  'num.io.threads=4',
  'background.threads=2',
  'log.cleaner.dedupe.buffer.size=8388608',
  'log.index.size.max.bytes=1048576',
  'log.segment.bytes=67108864',
  // twenty-five processes share few cores: a member that waits for one for some seconds is not dead
  'group.min.session.timeout.ms=6000',
]

/**
 * `docker/kafka/cluster.properties` for one broker: its number, zone, folders and addresses are filled in, everything
 * else is as in the file. Throws if the file has an address that is not filled in.
 */
export function brokerProperties(file: string, place: BrokerPlace): string {
  const filled = file
    .replaceAll('@NODE@', String(place.node))
    .replaceAll('@ZONE@', place.zone)
    .replace(/^log\.dirs=.*$/m, `log.dirs=${place.data}`)
    .replace(/^(listener\.name\.client\.ssl\.keystore\.location)=.*$/m, `$1=${place.keystore}`)
    .split('\n')
    .map((line) => (line.startsWith('#') ? line : withAddresses(line, place)))
  const left = filled.filter((line) => !line.startsWith('#') && /kafka-\d|:\/\/:|@[A-Z]+@|:909\d/.test(line))
  if (left.length > 0) throw new Error(`cluster.properties has an address that is not known here: ${left.join(' | ')}`)
  return [...filled, ...SMALL, ''].join('\n')
}

/** `kafka-2:9093`, or `://:9093` for the broker itself, as an address of the loopback interface. */
const withAddresses = (line: string, { node, ports }: BrokerPlace): string =>
  line.replace(/(kafka-(\d)|(?<=:\/\/)):(909\d)/g, (found, _, named: string | undefined, port: string) => {
    const of = portOf(ports[Number(named ?? node) - 1], port, named !== undefined)
    return of === null ? found : `127.0.0.1:${of}`
  })

function portOf(ports: BrokerPorts | undefined, port: string, isAdvertised: boolean): number | null {
  if (ports === undefined) return null
  const { client, controller, replication } = isAdvertised ? (ports.advertised ?? ports) : ports
  return { '9092': client, '9093': controller, '9094': replication }[port] ?? null
}

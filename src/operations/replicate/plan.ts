import type { PlacedPartition, PlacedReplicas } from '../../adapters/kafka/replicas.ts'

/**
 * New places for the partitions that have fewer than so many copies. Existing copies stay; others go to the brokers that
 * have the fewest, and each partition is led by the one of its brokers that leads the fewest. Throws if there are too few
 * brokers.
 */
export function replicatedPartitions(
  { brokers, partitions }: PlacedReplicas,
  copies: number,
): readonly PlacedPartition[] {
  if (brokers.length < copies) {
    throw new Error(`--replicas ${copies} needs as many brokers, and the cluster has ${brokers.length}`)
  }
  const [copiesOf, leadsOf] = [new Map<number, number>(), new Map<number, number>()]
  const isEnough = ({ replicas }: PlacedPartition): boolean => replicas.length >= copies
  for (const { replicas } of partitions) replicas.forEach((broker) => addOne(copiesOf, broker))
  for (const { replicas } of partitions.filter(isEnough)) addOne(leadsOf, replicas[0] ?? -1)

  return partitions
    .filter((one) => !isEnough(one))
    .map(({ topic, partition, replicas }) => {
      const others = byNumber(copiesOf, brokers).filter((broker) => !replicas.includes(broker))
      const added = others.slice(0, copies - replicas.length)
      added.forEach((broker) => addOne(copiesOf, broker))
      const [leader = -1] = byNumber(leadsOf, [...replicas, ...added])
      addOne(leadsOf, leader)
      const followers = [...replicas, ...added].filter((broker) => broker !== leader)
      return { topic, partition, replicas: [leader, ...followers] }
    })
}

function addOne(counts: Map<number, number>, broker: number): void {
  counts.set(broker, (counts.get(broker) ?? 0) + 1)
}

/** Those with the smallest number first, of equal ones the smaller id. */
const byNumber = (counts: ReadonlyMap<number, number>, brokers: readonly number[]): number[] =>
  brokers.toSorted((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0) || a - b)

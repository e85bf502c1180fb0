import { AssignerProtocol, type PartitionAssigner } from 'kafkajs'

const NAME = 'CoPartition'
const VERSION = 0

export interface CoPartitionCandidate {
  readonly memberId: string
  /** When the member's process started, milliseconds since 1970; 0 if unknown. */
  readonly since: number
}

/**
 * Assigns partition p of every topic to the same member: a stateful stage needs all inputs of a key in one place. The
 * members that started first come first, so that if there are not more partitions than members, a member that joins or
 * rejoins takes none from running ones.
 */
export function assignCoPartitioned(
  candidates: readonly CoPartitionCandidate[],
  partitions: Readonly<Record<string, readonly number[]>>,
): ReadonlyMap<string, Readonly<Record<string, number[]>>> {
  const members = [...candidates].sort((a, b) => a.since - b.since || (a.memberId < b.memberId ? -1 : 1))
  const of = (i: number) =>
    Object.fromEntries(
      Object.entries(partitions)
        .map(([topic, all]) => [topic, all.filter((p) => p % members.length === i)] as const)
        .filter(([, mine]) => mine.length > 0),
    )
  return new Map(members.map(({ memberId }, i) => [memberId, of(i)]))
}

/**
 * The kafkajs round-robin assigner treats the partitions of all topics as one list and separates co-partitioned inputs.
 */
export const coPartitionAssigner: PartitionAssigner = ({ cluster }) => ({
  name: NAME,
  version: VERSION,
  assign: async ({ members, topics }) => {
    const partitions = Object.fromEntries(
      topics.map((topic) => [topic, cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId)]),
    )
    const candidates = members.map(({ memberId, memberMetadata }) => ({ memberId, since: sinceOf(memberMetadata) }))
    return [...assignCoPartitioned(candidates, partitions)].map(([memberId, assignment]) => ({
      memberId,
      memberAssignment: AssignerProtocol.MemberAssignment.encode({
        version: VERSION,
        assignment: { ...assignment },
        userData: Buffer.alloc(0),
      }),
    }))
  },
  protocol: ({ topics }) => ({
    name: NAME,
    metadata: AssignerProtocol.MemberMetadata.encode({
      version: VERSION,
      topics,
      userData: Buffer.from(String(Math.floor(performance.timeOrigin))),
    }),
  }),
})

const sinceOf = (metadata: Buffer): number =>
  Number(AssignerProtocol.MemberMetadata.decode(metadata)?.userData.toString() ?? '') || 0

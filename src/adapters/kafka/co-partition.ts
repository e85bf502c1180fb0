import { AssignerProtocol, type PartitionAssigner } from 'kafkajs'

const NAME = 'CoPartition'
const VERSION = 0

export interface CoPartitionCandidate {
  readonly memberId: string
  /** When its process began, milliseconds since 1970; 0: it did not say. */
  readonly since: number
}

/**
 * Partition p of every topic goes to the same member: a stage with memory needs all its inputs of a key in one place. The
 * longest there are served first, so that one who comes (or comes back) takes nothing from those who are at work where
 * there are not more partitions than members.
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

/** kafkajs' own round robin deals the partitions of all topics out in one row, and so parts what belongs together. */
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

import { AssignerProtocol, type PartitionAssigner } from 'kafkajs'

const NAME = 'CoPartition'
const VERSION = 0

/** Partition p of every topic goes to the same member: a stage with memory needs all its inputs of a key in one place. */
export function assignCoPartitioned(
  memberIds: readonly string[],
  partitions: Readonly<Record<string, readonly number[]>>,
): ReadonlyMap<string, Readonly<Record<string, number[]>>> {
  const members = [...memberIds].sort()
  const of = (i: number) =>
    Object.fromEntries(
      Object.entries(partitions)
        .map(([topic, all]) => [topic, all.filter((p) => p % members.length === i)] as const)
        .filter(([, mine]) => mine.length > 0),
    )
  return new Map(members.map((member, i) => [member, of(i)]))
}

/** kafkajs' own round robin deals the partitions of all topics out in one row, and so parts what belongs together. */
export const coPartitionAssigner: PartitionAssigner = ({ cluster }) => ({
  name: NAME,
  version: VERSION,
  assign: async ({ members, topics }) => {
    const partitions = Object.fromEntries(
      topics.map((topic) => [topic, cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId)]),
    )
    const memberIds = members.map(({ memberId }) => memberId)
    return [...assignCoPartitioned(memberIds, partitions)].map(([memberId, assignment]) => ({
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
    metadata: AssignerProtocol.MemberMetadata.encode({ version: VERSION, topics, userData: Buffer.alloc(0) }),
  }),
})

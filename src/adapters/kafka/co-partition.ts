import { AssignerProtocol, type PartitionAssigner } from 'kafkajs'
import { z } from 'zod'

const NAME = 'CoPartition'
const VERSION = 0

const partitionsOf = z.array(z.number().int()).readonly()
/** What a member says about itself when it joins. */
const MemberData = z.object({
  /** When the member's process started, milliseconds since 1970. */
  since: z.number(),
  /** When it got the partitions that it owns, milliseconds since 1970. */
  joined: z.number(),
  owns: partitionsOf,
  copies: partitionsOf,
  /** The partitions whose state it has in memory as a standby. */
  holds: partitionsOf.default([]),
})
type MemberData = z.infer<typeof MemberData>

/** A member of a consumer group, and what it has of earlier assignments. */
export interface CoPartitionCandidate extends MemberData {
  readonly memberId: string
}

/** The partitions of one member, in all topics. */
export interface CoPartitionShare {
  readonly owns: number[]
  /** Partitions whose state it keeps for the case that their owner ends. */
  readonly standbys: number[]
}

interface Share {
  readonly candidate: CoPartitionCandidate
  readonly owns: Set<number>
  readonly standbys: Set<number>
}

/**
 * Assigns partition p of every topic to the same member: a stateful stage needs all inputs of a key in one place. Every
 * member gets the same number of partitions, plus or minus one. A partition stays with its owner, else it goes to its
 * standby, else to a member with a copy of its state. Of equal members, those that started first come first.
 */
export function assignCoPartitioned(
  candidates: readonly CoPartitionCandidate[],
  partitions: readonly number[],
  replicas: number,
): ReadonlyMap<string, CoPartitionShare> {
  const shares = [...candidates]
    .sort((a, b) => a.since - b.since || (a.memberId < b.memberId ? -1 : 1))
    .map((candidate): Share => ({ candidate, owns: new Set(), standbys: new Set() }))
  const open = fewestFirst(shares, ({ owns }) => owns, partitions.length)
  place(partitions, { choices: [latestOwner, holder, copier, first], free: open, of: ({ owns }) => owns })
  assignStandbys(shares, partitions, Math.min(replicas, shares.length - 1))
  return new Map(
    shares.map(({ candidate, owns, standbys }) => [
      candidate.memberId,
      { owns: ascending(owns), standbys: ascending(standbys) },
    ]),
  )
}

type Choose = (shares: readonly Share[], partition: number) => Share | undefined
const holder: Choose = (shares, partition) => shares.find(({ candidate }) => candidate.holds.includes(partition))
const copier: Choose = (shares, partition) => shares.find(({ candidate }) => candidate.copies.includes(partition))
const formerOwner: Choose = (shares, partition) => shares.find(({ candidate }) => candidate.owns.includes(partition))
const first: Choose = ([share]) => share

interface Placing {
  readonly choices: readonly Choose[]
  /** The members that may get a partition. */
  readonly free: (partition: number) => readonly Share[]
  /** The partitions that a member got. */
  readonly of: (share: Share) => Set<number>
}

/** Places all partitions by the first choice, those that are left by the second, and so on. Returns those without a place. */
function place(partitions: readonly number[], { choices, free, of }: Placing): readonly number[] {
  let homeless = partitions
  for (const choose of choices) {
    homeless = homeless.filter((partition) => {
      const home = choose(free(partition), partition)
      if (home !== undefined) of(home).add(partition)
      return home === undefined
    })
  }
  return homeless
}

/** A standby stays where the state is in memory, else where the partition is copied already. */
function assignStandbys(shares: readonly Share[], partitions: readonly number[], replicas: number): void {
  const open = fewestFirst(shares, ({ standbys }) => standbys, partitions.length * replicas)
  for (let replica = 0; replica < replicas; replica++) {
    const homeless = place(partitions, {
      choices: [holder, copier, formerOwner, first],
      free: (partition) => open().filter((share) => mayStandBy(share, partition)),
      of: ({ standbys }) => standbys,
    })
    for (const partition of homeless) makeRoom(shares, open(), partition)?.standbys.add(partition)
  }
}

const mayStandBy = ({ owns, standbys }: Share, partition: number): boolean =>
  !owns.has(partition) && !standbys.has(partition)

/** Moves a standby partition from a full member to one with room, so that the full one can take this partition. */
function makeRoom(shares: readonly Share[], open: readonly Share[], partition: number): Share | undefined {
  const full = shares.filter((share) => mayStandBy(share, partition))
  for (const share of full) {
    for (const other of share.standbys) {
      const home = open.find((one) => one !== share && mayStandBy(one, other))
      if (home === undefined) continue
      share.standbys.delete(other)
      home.standbys.add(other)
      return share
    }
  }
  return full.sort((a, b) => a.standbys.size - b.standbys.size)[0]
}

/** The members that may get one more of `total` partitions, those with the fewest first. */
function fewestFirst(shares: readonly Share[], of: (share: Share) => ReadonlySet<number>, total: number) {
  const least = Math.floor(total / Math.max(1, shares.length))
  const larger = total % Math.max(1, shares.length)
  return (): readonly Share[] => {
    const most = shares.filter((share) => of(share).size > least).length < larger ? least + 1 : least
    return shares.filter((share) => of(share).size < most).sort((a, b) => of(a).size - of(b).size)
  }
}

/** A member that was expelled may still claim partitions that another one owns now. */
function latestOwner(shares: readonly Share[], partition: number): Share | undefined {
  return shares
    .filter(({ candidate }) => candidate.owns.includes(partition))
    .sort((a, b) => b.candidate.joined - a.candidate.joined)[0]
}

const ascending = (partitions: ReadonlySet<number>): number[] => [...partitions].sort((a, b) => a - b)

/** What the assigner needs to know of its member. */
export interface CoPartitionMember {
  owns(): readonly number[]
  copies(): readonly number[]
  holds(): readonly number[]
  joined(): number
  /** Copies of the state of each partition, beside that of its owner. */
  readonly replicas: number
}

/**
 * The kafkajs round-robin assigner treats the partitions of all topics as one list and separates co-partitioned inputs.
 */
export const coPartitionAssigner =
  (member: CoPartitionMember): PartitionAssigner =>
  ({ cluster }) => ({
    name: NAME,
    version: VERSION,
    assign: async ({ members, topics }) => {
      const existing = new Map(
        topics.map((topic) => [
          topic,
          new Set(cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId)),
        ]),
      )
      const partitions = ascending(new Set([...existing.values()].flatMap((all) => [...all])))
      const candidates = members.map(({ memberId, memberMetadata }) => ({ memberId, ...dataOf(memberMetadata) }))
      return [...assignCoPartitioned(candidates, partitions, member.replicas)].map(
        ([memberId, { owns, standbys }]) => ({
          memberId,
          memberAssignment: AssignerProtocol.MemberAssignment.encode({
            version: VERSION,
            assignment: Object.fromEntries(
              [...existing]
                .map(([topic, all]) => [topic, owns.filter((partition) => all.has(partition))] as const)
                .filter(([, mine]) => mine.length > 0),
            ),
            userData: Buffer.from(JSON.stringify(standbys)),
          }),
        }),
      )
    },
    protocol: ({ topics }) => ({
      name: NAME,
      metadata: AssignerProtocol.MemberMetadata.encode({
        version: VERSION,
        topics,
        userData: Buffer.from(
          JSON.stringify({
            since: Math.floor(performance.timeOrigin),
            joined: member.joined(),
            owns: member.owns(),
            copies: member.copies(),
            holds: member.holds(),
          } satisfies MemberData),
        ),
      }),
    }),
  })

/** A member of an older version sends only the time at which its process started, or nothing. */
function dataOf(metadata: Buffer): MemberData {
  const parsed = json(AssignerProtocol.MemberMetadata.decode(metadata)?.userData)
  const data = MemberData.safeParse(parsed)
  if (data.success) return data.data
  return { since: typeof parsed === 'number' ? parsed : 0, joined: 0, owns: [], copies: [], holds: [] }
}

/** The standbys in the assignment of a member; none if an older version made it. */
export function standbysIn(memberAssignment: Buffer): readonly number[] {
  const standbys = partitionsOf.safeParse(json(AssignerProtocol.MemberAssignment.decode(memberAssignment)?.userData))
  return standbys.success ? standbys.data : []
}

function json(bytes: Buffer | undefined): unknown {
  try {
    return JSON.parse(bytes?.toString() ?? '')
  } catch {
    return null
  }
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partitionBudget } from '../../config/state-budgets.ts'
import { assignCoPartitioned, type CoPartitionCandidate, type CoPartitionShare } from './co-partition.ts'

const aCandidate = (memberId: string, more: Partial<CoPartitionCandidate> = {}): CoPartitionCandidate => ({
  memberId,
  since: 1,
  joined: 0,
  owns: [],
  copies: [],
  holds: [],
  ...more,
})
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)
const owners = (shares: ReadonlyMap<string, CoPartitionShare>) =>
  Object.fromEntries([...shares].map(([id, { owns }]) => [id, owns]))

describe('assigning partitions', () => {
  it('gives every partition to one member, in equal numbers', () => {
    const shares = assignCoPartitioned([aCandidate('y'), aCandidate('x')], upTo(3), 0)

    expect(owners(shares)).toEqual({ x: [0, 2], y: [1] })
  })

  it('leaves the last who came with nothing when there are more members than partitions', () => {
    const members = [aCandidate('a', { since: 3 }), aCandidate('b', { since: 1 }), aCandidate('c', { since: 2 })]

    expect(owners(assignCoPartitioned(members, [0, 1], 0))).toEqual({ b: [0], c: [1], a: [] })
  })

  it('leaves partitions where they are, and gives those of a member that left to the ones with a copy', () => {
    const members = [
      aCandidate('a', { owns: [0, 4], copies: [5] }),
      aCandidate('b', { owns: [2, 3], copies: [0, 1, 4] }),
    ]

    expect(owners(assignCoPartitioned(members, upTo(6), 1))).toEqual({ a: [0, 4, 5], b: [1, 2, 3] })
  })

  it('gives the partitions of a member that left to their standbys before the members with a copy', () => {
    const members = [
      aCandidate('a', { owns: [0, 1], copies: upTo(6) }),
      aCandidate('b', { owns: [2, 3], copies: upTo(6), holds: [4] }),
    ]

    expect(owners(assignCoPartitioned(members, upTo(6), 1))).toEqual({ a: [0, 1, 5], b: [2, 3, 4] })
  })

  it('moves to a new member no more than its share', () => {
    const members = [
      aCandidate('a', { owns: [0, 1, 2] }),
      aCandidate('b', { owns: [3, 4, 5] }),
      aCandidate('new', { since: 9 }),
    ]

    expect(owners(assignCoPartitioned(members, upTo(6), 0))).toEqual({ a: [0, 1], b: [3, 4], new: [2, 5] })
  })

  it('believes the owner that joined last', () => {
    const members = [aCandidate('expelled', { owns: [0], joined: 5 }), aCandidate('owner', { owns: [0], joined: 7 })]

    expect(owners(assignCoPartitioned(members, [0], 0))).toEqual({ expelled: [], owner: [0] })
  })
})

describe('standbys', () => {
  const standbys = (shares: ReadonlyMap<string, CoPartitionShare>) =>
    Object.fromEntries([...shares].map(([id, { standbys }]) => [id, standbys]))

  it('are all that the other one owns, where two processes run', () => {
    const shares = assignCoPartitioned([aCandidate('a'), aCandidate('b')], upTo(4), 1)

    expect(owners(shares)).toEqual({ a: [0, 2], b: [1, 3] })
    expect(standbys(shares)).toEqual({ a: [1, 3], b: [0, 2] })
  })

  it('need another member', () => {
    expect(standbys(assignCoPartitioned([aCandidate('a')], upTo(4), 1))).toEqual({ a: [] })
  })

  it('stay where the copies are, in equal numbers', () => {
    const members = [
      aCandidate('a', { owns: [0, 1], copies: [4, 5] }),
      aCandidate('b', { owns: [2, 3], copies: [0, 1] }),
      aCandidate('c', { owns: [4, 5], copies: [2, 3] }),
    ]

    expect(standbys(assignCoPartitioned(members, upTo(6), 1))).toEqual({ a: [4, 5], b: [0, 1], c: [2, 3] })
  })

  it('stay where the state is in memory rather than where a copy is', () => {
    const members = ['a', 'b', 'c'].map((id, i) => aCandidate(id, { owns: [i], copies: upTo(3), holds: [(i + 2) % 3] }))

    expect(standbys(assignCoPartitioned(members, upTo(3), 1))).toEqual({ a: [2], b: [0], c: [1] })
  })

  it('fit into the budget of a process together with what it owns', () => {
    const some = fc.uniqueArray(fc.nat(11))
    const member = fc.record({ owns: some, copies: some, holds: some })
    fc.assert(
      fc.property(
        fc.array(member, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 12 }),
        fc.nat(2),
        (given, partitions, replicas) => {
          const members = given.map((more, i) => aCandidate(`member ${i}`, more))
          const standbys = Math.min(replicas, members.length - 1)
          const part = partitionBudget(1_000_000, { partitions, processes: members.length, standbys })

          for (const share of assignCoPartitioned(members, upTo(partitions), replicas).values()) {
            expect((share.owns.length + share.standbys.length) * part).toBeLessThanOrEqual(1_000_000)
          }
        },
      ),
    )
  })

  it('are on as many different members as there are replicas', () => {
    const shares = assignCoPartitioned(
      ['a', 'b', 'c', 'd'].map((id) => aCandidate(id)),
      upTo(4),
      2,
    )

    for (const partition of upTo(4)) {
      const holders = [...shares.values()].filter((one) => [...one.owns, ...one.standbys].includes(partition))
      expect(holders).toHaveLength(3)
    }
  })
})

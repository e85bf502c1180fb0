import { describe, expect, it } from 'vitest'
import { aGraphStory } from '../../../test/builders/graph.ts'
import { threadId } from '../../events/ids.ts'
import { threadAssignment } from './thread-assignment.ts'
import { GRAPH } from './rules.ts'
import type { GraphStory } from './story.ts'

/** Threads of stories by number, and who was asked for those beside it. */
function aWorld() {
  const beside = new Map<string, Set<string>>()
  const stories = new Map<string, GraphStory>()
  const calls: string[] = []
  const counting = {
    neighbours: (id: string) => {
      calls.push(id)
      return beside.get(id) ?? []
    },
  }
  const threads = threadAssignment({ namespace: 'shared', bonds: counting, get: (id) => stories.get(id) }, GRAPH)
  const join = (pairs: readonly (readonly [string, string])[]) => {
    for (const [a, b] of pairs) {
      for (const id of [a, b]) stories.set(id, stories.get(id) ?? aGraphStory(id, []))
      beside.set(a, (beside.get(a) ?? new Set()).add(b))
      beside.set(b, (beside.get(b) ?? new Set()).add(a))
    }
    return threads.change({ removed: [], weakened: [], joined: pairs })
  }
  const leave = (id: string) => {
    const loose = [...(beside.get(id) ?? [])]
    for (const other of loose) beside.get(other)?.delete(id)
    beside.delete(id)
    stories.delete(id)
    return threads.change({ removed: [id], weakened: loose, joined: [] })
  }
  return { join, leave, calls, all: threads.all }
}

const chain = (from: number, to: number): readonly (readonly [string, string])[] =>
  Array.from({ length: to - from }, (_, i) => [`sto_${from + i}`, `sto_${from + i + 1}`])

describe('a place in a thread', () => {
  it('comes of a link without a look at the links of those that are there already', () => {
    const { join, calls } = aWorld()
    join(chain(1, 200))

    const changes = join([['sto_200', 'sto_201']])

    expect(changes).toEqual([{ action: 'added', cluster_id: 'sto_201', thread_id: threadId('shared', 'sto_1') }])
    expect(calls).toEqual([])
  })

  it('is told of the later thread alone where a link unites two', () => {
    const { join } = aWorld()
    join(chain(1, 3))
    join(chain(5, 99))

    const changes = join([['sto_3', 'sto_5']])

    expect(changes).toHaveLength(95)
    expect(new Set(changes.map(({ action, thread_id }) => `${action} ${thread_id}`))).toEqual(
      new Set([`changed ${threadId('shared', 'sto_1')}`]),
    )
  })

  it('stays where those that lost a link are linked themselves, which is seen at once', () => {
    const { join, leave, calls } = aWorld()
    const ids = Array.from({ length: 30 }, (_, i) => `sto_${i}`)
    join(ids.flatMap((a, i) => ids.slice(i + 1).map((b) => [a, b] as const)))

    const changes = leave('sto_7')

    expect(changes.map(({ action, cluster_id }) => `${action} ${cluster_id}`)).toEqual(['removed sto_7'])
    expect(calls).toHaveLength(1)
  })

  it('is in two threads where the story left that held them together', () => {
    const { join, leave, all } = aWorld()
    join(chain(1, 7))

    leave('sto_4')

    const [one, other] = [threadId('shared', 'sto_1'), threadId('shared', 'sto_5')]
    expect([...all().values()].sort()).toEqual([one, one, one, other, other, other].sort())
  })
})

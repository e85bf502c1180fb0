import { expect, it } from 'vitest'
import { layout } from './layout.ts'

const nodes = ['a', 'b', 'c', 'd'].map((id) => ({ id, mentions: 1 }))
const room = { width: 640, height: 420 }
const edges = [{ source: 'a', target: 'b', strength: 1 }]

it('puts every node somewhere inside, none upon another', () => {
  const positions = [...layout({ nodes, edges }, room).values()]

  expect(positions).toHaveLength(4)
  for (const { x, y } of positions) expect(x >= 0 && x <= room.width && y >= 0 && y <= room.height).toBe(true)
  expect(new Set(positions.map(({ x, y }) => `${Math.round(x)} ${Math.round(y)}`)).size).toBe(4)
})

it('puts what is joined nearer than what is not, and the same where it was', () => {
  const positions = layout({ nodes, edges }, room)
  const apart = (one: string, other: string): number => {
    const [p, q] = [positions.get(one), positions.get(other)]
    return Math.hypot((p?.x ?? 0) - (q?.x ?? 0), (p?.y ?? 0) - (q?.y ?? 0))
  }

  expect(apart('a', 'b')).toBeLessThan(apart('c', 'd'))
  expect([...layout({ nodes, edges }, room)]).toEqual([...positions])
})

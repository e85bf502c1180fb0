import { expect, it } from 'vitest'
import { HEIGHT, layout, WIDTH } from './layout.ts'

const nodes = ['a', 'b', 'c', 'd'].map((id) => ({ id, mentions: 1 }))
const edges = [{ source: 'a', target: 'b', strength: 1 }]

it('puts every node somewhere inside, none upon another', () => {
  const places = [...layout(nodes, edges).values()]

  expect(places).toHaveLength(4)
  for (const { x, y } of places) expect(x >= 0 && x <= WIDTH && y >= 0 && y <= HEIGHT).toBe(true)
  expect(new Set(places.map(({ x, y }) => `${Math.round(x)} ${Math.round(y)}`)).size).toBe(4)
})

it('puts what is joined nearer than what is not, and the same where it was', () => {
  const places = layout(nodes, edges)
  const apart = (one: string, other: string): number => {
    const [p, q] = [places.get(one), places.get(other)]
    return Math.hypot((p?.x ?? 0) - (q?.x ?? 0), (p?.y ?? 0) - (q?.y ?? 0))
  }

  expect(apart('a', 'b')).toBeLessThan(apart('c', 'd'))
  expect([...layout(nodes, edges)]).toEqual([...places])
})

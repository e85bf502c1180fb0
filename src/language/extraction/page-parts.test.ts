import { expect, it } from 'vitest'
import { leastCpuMs } from '../../../test/builders/cpu.ts'
import { partsAround } from './page-parts.ts'
import { isElement, pageTree } from './page-tree.ts'

const pageOf = (elements: number) => pageTree('<p class="newsletter">x</p>'.repeat(elements))

it('takes linear time for 29,000 elements of one name', () => {
  const [short, long] = [pageOf(2_900), pageOf(29_000)]
  const isDropped = partsAround(long)
  const limitMs = 30 * leastCpuMs(() => partsAround(short)) + 60

  expect(long.children.filter(isElement).every(isDropped)).toBe(true)
  expect(leastCpuMs(() => partsAround(long), limitMs)).toBeLessThan(limitMs)
}, 60_000)

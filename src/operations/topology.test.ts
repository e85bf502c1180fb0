import { expect, it } from 'vitest'
import { parts, topologyLines } from './topology.ts'

it('prints who reads and writes what, a line each, in columns', () => {
  const lines = topologyLines(parts())

  expect(lines.find((line) => line.includes(' scored '))).toBe(
    'stage              scored        articles.ingested -> articles.scored',
  )
  expect(lines.find((line) => line.startsWith('source') && line.includes('import'))).toMatch(
    /-> articles\.ingested, discourse\.posts, clock\.ticked$/,
  )
  expect(lines.find((line) => line.includes(' jobs '))).toMatch(/articles\.ingested\.dead/)
})

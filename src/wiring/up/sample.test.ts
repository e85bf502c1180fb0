import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { aTemporaryFolder } from '../../../test/builders/temporary-folder.ts'
import { planSample } from './sample.ts'

const AT = '2026-11-28T12:00:00.000Z'
/** An hour after an earlier start. No broker is needed where a file answers. */
const later = { brokers: [], now: Date.parse(AT) + 3_600_000 }

const homeWith = (file: string, content: string): string => {
  const home = aTemporaryFolder()
  writeFileSync(join(home, file), content)
  return home
}

it.each([
  ['sample-import-begun', AT, { kind: 'import', at: AT }],
  ['sample-imported', AT, { kind: 'stream', at: AT }],
  ['sample-streamed', AT, { kind: 'present', at: AT }],
  ['sample-imported', '', { kind: 'present', at: null }],
])('a start that finds %s continues with the same dates', async (file, content, plan) => {
  const home = homeWith(file, content)

  expect(await planSample(home, later)).toEqual(plan)
  expect(readdirSync(home)).toEqual([file])
})

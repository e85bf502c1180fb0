import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { differences, isAsStamped, parseChecksums, stamp, stampedChecksums } from './checksums.ts'

const ofAbc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'story-checksums-'))
  mkdirSync(join(folder, 'lib'))
  writeFileSync(join(folder, 'lib', 'a.jar'), 'abc')
})
afterEach(() => rmSync(folder, { recursive: true }))

it('reads what sha256sum writes', () => {
  expect(parseChecksums(`${ofAbc}  lib/a.jar\n`)).toEqual(new Map([['lib/a.jar', ofAbc]]))
})

it('finds nothing to say about files that are as pinned', async () => {
  expect(await differences(folder, new Map([['lib/a.jar', ofAbc]]))).toEqual([])
})

it('names a file that is missing and one that is another', async () => {
  const pinned = new Map([
    ['lib/a.jar', '0'.repeat(64)],
    ['lib/b.jar', ofAbc],
  ])
  expect(await differences(folder, pinned)).toEqual([
    'lib/a.jar has not the checksum it was pinned with',
    'lib/b.jar is missing',
  ])
})

it('stamps every file, and sees by looking alone that one has changed', async () => {
  expect(isAsStamped(folder)).toBe(false)
  await stamp(folder)
  expect(isAsStamped(folder)).toBe(true)
  expect(stampedChecksums(folder)).toEqual(new Map([['lib/a.jar', ofAbc]]))

  writeFileSync(join(folder, 'lib', 'a.jar'), 'abd')
  utimesSync(join(folder, 'lib', 'a.jar'), 1, 1)
  expect(isAsStamped(folder)).toBe(false)
})

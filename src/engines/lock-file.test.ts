import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isTaken, ownerOf, takeLock } from './lock-file.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'story-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('is had by one at a time, who can be named', () => {
  const lock = takeLock(join(folder, 'lock'))
  expect(isTaken(lock)).toBe(false)
  expect(takeLock(join(folder, 'lock'))).toMatchObject({ pid: process.pid })
  expect(ownerOf(join(folder, 'lock'))).toMatchObject({ pid: process.pid })
})

it('is free again after its release', () => {
  const lock = takeLock(join(folder, 'lock'))
  if (!isTaken(lock)) lock.release()
  expect(isTaken(takeLock(join(folder, 'lock')))).toBe(false)
})

it.each([
  ['of a process that has ended', () => JSON.stringify({ pid: spawnSync('true').pid, born: '1' })],
  ['of an earlier process with a number that is in use again', () => JSON.stringify({ pid: process.pid, born: '1' })],
  ['that was cut off in the middle', () => '{"pid":'],
])('is free when it is one %s', (_, content) => {
  writeFileSync(join(folder, 'lock'), content())
  expect(ownerOf(join(folder, 'lock'))).toBeNull()
  expect(isTaken(takeLock(join(folder, 'lock')))).toBe(false)
})

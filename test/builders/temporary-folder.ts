import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A new folder that is deleted when the running test ends. */
export function aTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'story-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSecrets } from './secrets.ts'

it('makes a secret up once, remembers it, and shows it to nobody else', () => {
  const home = mkdtempSync(join(tmpdir(), 'story-secrets-'))
  const made = openSecrets(home).random('clickhouse_password')

  expect(made).toMatch(/^[\w-]{43}$/)
  expect(openSecrets(home).random('clickhouse_password')).toBe(made)
  expect(openSecrets(home).random('another')).not.toBe(made)
  expect(openSecrets(home).get('unknown')).toBeUndefined()
  expect(statSync(join(home, 'secrets.json')).mode & 0o777).toBe(0o600)
  rmSync(home, { recursive: true })
})

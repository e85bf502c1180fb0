import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { mutants } from './mutants.ts'
import { planted } from './mutant.ts'

it.each(mutants)('the place of $name is still in $file, once', async (mutant) => {
  const code = await readFile(new URL(`../../${mutant.file}`, import.meta.url), 'utf8')

  expect(planted(mutant, code)).not.toBe(code)
})

it('there are twenty at least, each with a name of its own', () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
  expect(mutants.length).toBeGreaterThanOrEqual(20)
})

import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vitest/config'
import { mutants } from './mutants.ts'
import { planted } from './mutant.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Plants the mistake that the runner named in the module it is for; nothing on disk is touched. */
function planting(name: string | undefined): Plugin {
  const mutant = mutants.find((one) => one.name === name)
  return {
    name: 'planted-mistake',
    enforce: 'pre',
    transform: (code, id) => (mutant !== undefined && id === `${ROOT}${mutant.file}` ? planted(mutant, code) : null),
  }
}

/** The tests that guard deliveries, with one mistake planted: `test/mutants/main.ts` runs it once for each. */
export default defineConfig({
  root: ROOT,
  plugins: [planting(process.env['MUTANT'])],
  test: {
    pool: 'forks',
    include: ['src/**/*.test.ts', 'test/contracts/log.test.ts'],
    globalSetup: process.env['MUTANT_ENGINES'] === '1' ? ['test/engines.ts'] : [],
    fileParallelism: false,
    testTimeout: 30_000,
    hookTimeout: 180_000,
  },
})

import { defineConfig } from 'vitest/config'

/** Two projects: `unit` needs nothing; `engines` starts Kafka, the registry and ClickHouse once, on free ports. */
export default defineConfig({
  test: {
    pool: 'forks',
    reporters: ['default'],
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'src/**/*.test.ts',
            'models/**/*.test.ts',
            'sdk/**/*.test.ts',
            'test/builders/**/*.test.ts',
            'test/golden/**/*.test.ts',
            'test/mutants/**/*.test.ts',
            'test/parity/**/*.test.ts',
            'test/platforms/**/*.test.ts',
            'test/simulation/**/*.test.ts',
          ],
          pool: 'forks',
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'engines',
          include: ['test/{contracts,guarantees,pipeline}/**/*.test.ts'],
          globalSetup: ['test/engines.ts'],
          pool: 'forks',
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})

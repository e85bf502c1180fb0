import { defineConfig } from 'vitest/config'

/** Need a running service and share one. */
const SHARED_SERVICE = ['test/pipeline/service/**/*.test.ts']

/** MB: with less, collecting short-lived garbage takes a sixth of the time. */
const execArgv = ['--max-semi-space-size=64']

/**
 * Three projects. `unit` needs nothing. `engines` starts Kafka, the registry and ClickHouse once, on free ports; each file
 * works in namespaces, topics or databases of its own. `service` starts the whole service once.
 */
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
            'test/cluster/**/*.test.ts',
            'test/golden/**/*.test.ts',
            'test/mutants/**/*.test.ts',
            'test/parity/**/*.test.ts',
            'test/platforms/**/*.test.ts',
            'test/simulation/**/*.test.ts',
            'test/upgrade/**/*.test.ts',
          ],
          pool: 'forks',
          execArgv,
          // files of one worker share its modules: loading them again for each file took longer than the tests
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'engines',
          include: ['test/{contracts,guarantees,pipeline}/**/*.test.ts'],
          exclude: SHARED_SERVICE,
          globalSetup: ['test/engines.ts'],
          pool: 'forks',
          execArgv,
          isolate: false,
          // two at a time: what a file waits for is another process, mostly
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          testTimeout: 300_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: 'service',
          include: SHARED_SERVICE,
          globalSetup: ['test/service.ts'],
          pool: 'forks',
          execArgv,
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          testTimeout: 300_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
})

import type { Reporter, TestModule } from 'vitest/node'

const SHOWN = 10

/** Ends a run with its slowest files: seconds with hooks, and how many tests they hold. */
export default class Slowest implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const slowest = modules
      .map((module) => ({ module, ms: durationOf(module) }))
      .sort((a, b) => b.ms - a.ms)
      .slice(0, SHOWN)
    console.log(`\nslowest files (seconds, tests)`)
    for (const { module, ms } of slowest) {
      const tests = [...module.children.allTests()].length
      console.log(`${(ms / 1000).toFixed(1).padStart(8)} ${String(tests).padStart(5)}  ${module.relativeModuleId}`)
    }
  }
}

const durationOf = (module: TestModule): number => {
  const { duration, collectDuration, setupDuration, prepareDuration } = module.diagnostic()
  return duration + collectDuration + setupDuration + prepareDuration
}

import fc from 'fast-check'

/** `make test-nightly` sets it: every long test runs at its full size. */
const NIGHTLY = process.env['TEST_SIZE'] === 'nightly'

/** How much a long test does: `usual` in `make test`, `nightly` in `make test-nightly`. */
export const sized = (usual: number, nightly: number): number => (NIGHTLY ? nightly : usual)

interface PropertySize {
  /** Runs at most, and always in `make test-nightly`. */
  readonly most: number
  /** Runs at least, however slow the machine is. */
  readonly least: number
  /** CPU time of this process after which no further round of `least` runs begins, in seconds. */
  readonly cpuSeconds: number
}

/**
 * Checks a property in rounds of `least` runs, until `most` runs are done or the CPU time is spent. Each round has a seed of
 * its own; a failure names it. Returns the number of runs.
 */
export async function holds<Values>(
  property: fc.IAsyncProperty<Values> | fc.IProperty<Values>,
  { most, least, cpuSeconds }: PropertySize,
): Promise<number> {
  const before = process.cpuUsage()
  let runs = 0
  while (runs < most && (NIGHTLY || runs === 0 || secondsSince(before) < cpuSeconds)) {
    await fc.assert(property as fc.IAsyncProperty<Values>, { numRuns: Math.min(least, most - runs) })
    runs += least
  }
  return runs
}

function secondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

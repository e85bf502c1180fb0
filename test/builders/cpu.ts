/**
 * Milliseconds of CPU that some work takes, the least of three tries: in one of them the process may compile or collect
 * garbage, and a busy machine makes every instruction dearer for a moment.
 */
export function leastCpuMs(work: () => unknown): number {
  const tries = [1, 2, 3].map(() => {
    const begun = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(begun)
    return (user + system) / 1_000
  })
  return Math.min(...tries)
}

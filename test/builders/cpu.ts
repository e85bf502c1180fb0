/**
 * Milliseconds of CPU that some work takes: the first try within the limit, else the least of three. In one of them the
 * process may compile or collect garbage, and a busy machine makes every instruction dearer for a moment.
 */
export function leastCpuMs(work: () => unknown, limitMs = 0): number {
  let least = Infinity
  for (let tries = 0; tries < 3 && least > limitMs; tries++) {
    const begun = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(begun)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}

/** A text of one unit again and again: what reading 200,000 characters costs, and the most a linear reader may take. */
export function costOf(
  read: (text: string) => unknown,
  unit: string,
): { readonly ms: number; readonly limitMs: number } {
  const text = (characters: number): string => unit.repeat(Math.ceil(characters / unit.length))
  read(text(1_000 * unit.length))
  const limitMs = 30 * leastCpuMs(() => read(text(20_000))) + 60
  return { ms: leastCpuMs(() => read(text(200_000)), limitMs), limitMs }
}

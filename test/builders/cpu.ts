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

interface CpuCost {
  readonly ms: number
  readonly limitMs: number
}

/**
 * A text of one unit again and again: CPU time of reading 200,000 characters, and the most that a linear reader may take. What
 * `prepare` does is not measured.
 */
export function costOf<Input>(
  unit: string,
  prepare: (text: string) => Input,
  read: (input: Input) => unknown,
): CpuCost {
  const input = (characters: number): Input => prepare(unit.repeat(Math.ceil(characters / unit.length)))
  read(input(1_000 * unit.length))
  const [short, long] = [input(20_000), input(200_000)]
  const limitMs = 30 * leastCpuMs(() => read(short)) + 60
  return { ms: leastCpuMs(() => read(long), limitMs), limitMs }
}

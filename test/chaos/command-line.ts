import { parseArgs } from 'node:util'
import { z } from 'zod'

/** `--seed` and `--json`, which every run with faults takes. */
export const seedAndJson = {
  seed: z.coerce
    .number()
    .int()
    .min(0)
    .default(() => Math.floor(Math.random() * 2 ** 31)),
  json: z.boolean().default(false),
}

/** The arguments of this program, by a schema whose only boolean is `json`. Prints the help and exits for `--help`. */
export function argumentsBy<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>, help: string) {
  const named = Object.keys(schema.shape).map(
    (name) => [name, { type: name === 'json' ? 'boolean' : 'string' }] as const,
  )
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' }, ...Object.fromEntries(named) } })
  if (values.help === true) {
    console.log(help)
    process.exit(0)
  }
  return schema.parse(values)
}

/** Seconds since this call, and lines on stderr that begin with them. */
export function stopwatch() {
  const begun = performance.now()
  const seconds = (): number => Math.round((performance.now() - begun) / 1000)
  return { seconds, say: (line: string): void => console.error(`${String(seconds()).padStart(5)} s  ${line}`) }
}

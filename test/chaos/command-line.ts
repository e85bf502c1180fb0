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

/** The arguments of this program, by a schema: what is a boolean there takes no value. Prints the help and exits for `--help`. */
export function argumentsBy<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>, help: string) {
  const named = Object.entries(schema.shape).map(
    ([name, type]) => [name, { type: isSwitch(type) ? 'boolean' : 'string' }] as const,
  )
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' }, ...Object.fromEntries(named) } })
  if (values.help === true) {
    console.log(help)
    process.exit(0)
  }
  return schema.parse(values)
}

/** A boolean with a default. */
const isSwitch = (type: z.core.$ZodType): boolean =>
  type instanceof z.ZodDefault && type.unwrap() instanceof z.ZodBoolean

/** Seconds since this call, and lines on stderr that begin with them. */
export function stopwatch() {
  const begun = performance.now()
  const seconds = (): number => Math.round((performance.now() - begun) / 1000)
  return { seconds, say: (line: string): void => console.error(`${String(seconds()).padStart(5)} s  ${line}`) }
}

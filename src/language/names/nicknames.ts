import { readFileSync } from 'node:fs'
import { projectPath } from '../../config/project-path.ts'

/** Short first names, each with the long ones it can stand for. */
type Nicknames = ReadonlyMap<string, readonly string[]>

function read(): Nicknames {
  const lines = readFileSync(projectPath('models/names/nicknames.tsv'), 'utf8').split('\n')
  return new Map(
    lines.flatMap((line) => {
      const [short = '', long = ''] = line.split('\t')
      return short === '' ? [] : [[short, long.split(' ')] as const]
    }),
  )
}

let shipped: Nicknames | undefined

/** The first names a short one can stand for, all as `nameKey` folds them. */
export const longForms = (name: string): readonly string[] => (shipped ??= read()).get(name) ?? []

/** Whether two first names, as `nameKey` folds them, can be one: "jim" and "james", "bob" and "rob", never "joe" and "john". */
export function sameFirstName(one: string, other: string): boolean {
  if (one === other) return true
  const long = longForms(one)
  return long.includes(other) || [other, ...longForms(other)].some((each) => each === one || long.includes(each))
}

import { readFileSync } from 'node:fs'
import { projectPath } from '../../config/project-path.ts'

export type Sex = 'f' | 'm'

/** Of a first name, by its key: who bears it; `b` are both. */
type FirstNames = ReadonlyMap<string, Sex | 'b'>

const isSex = (text: string | undefined): text is Sex | 'b' => text === 'f' || text === 'm' || text === 'b'

function read(): FirstNames {
  const tsv = readFileSync(projectPath('models/names/first-names.tsv'), 'utf8')
  const names = new Map<string, Sex | 'b'>()
  for (const line of tsv.split('\n')) {
    const [name = '', sex] = line.split('\t')
    if (isSex(sex)) names.set(name, sex)
  }
  return names
}

let shipped: FirstNames | undefined
const firstNames = (): FirstNames => (shipped ??= read())

/** Whether a word, as `nameKey` folds it, is known as a first name. */
export const isFirstName = (key: string): boolean => firstNames().has(key)

/** Who bears the first name; null where both do or it is not known. */
export function sexOf(key: string): Sex | null {
  const sex = firstNames().get(key)
  return sex === undefined || sex === 'b' ? null : sex
}

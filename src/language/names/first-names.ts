import { modelText, once } from '../model-files.ts'

export type Sex = 'f' | 'm'

const isSex = (text: string | undefined): text is Sex | 'b' => text === 'f' || text === 'm' || text === 'b'

const linesOf = (file: string): readonly (readonly string[])[] =>
  modelText(`names/${file}`)
    .split('\n')
    .map((line) => line.split('\t'))

/** Of a first name, by its key: women, men or both (`b`) bear it. Read on first use. */
const firstNames = once(
  (): ReadonlyMap<string, Sex | 'b'> =>
    new Map(linesOf('first-names.tsv').flatMap(([name = '', sex]) => (isSex(sex) ? [[name, sex] as const] : []))),
)

/** Whether a word, as `nameKey` folds it, is known as a first name. */
export const isFirstName = (key: string): boolean => firstNames().has(key)

/** The sex of those who bear the first name; `null` if both do or it is not known. */
export function sexOf(key: string): Sex | null {
  const sex = firstNames().get(key)
  return sex === undefined || sex === 'b' ? null : sex
}

/** Short first names, each with the long ones it can stand for. Read on first use. */
const nicknames = once(
  (): ReadonlyMap<string, readonly string[]> =>
    new Map(
      linesOf('nicknames.tsv').flatMap(([short = '', long = '']) =>
        short === '' ? [] : [[short, long.split(' ')] as const],
      ),
    ),
)

/** The first names a short one can stand for, all as `nameKey` folds them. */
export const longForms = (name: string): readonly string[] => nicknames().get(name) ?? []

/** Whether two first names, as `nameKey` folds them, can be one: "jim" and "james", "bob" and "rob", never "joe" and "john". */
export function sameFirstName(one: string, other: string): boolean {
  if (one === other) return true
  const long = longForms(one)
  return long.includes(other) || [other, ...longForms(other)].some((each) => each === one || long.includes(each))
}

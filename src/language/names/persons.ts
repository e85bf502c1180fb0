import { nameKey } from './aliases.ts'

const SUFFIX = /[\s,]+(?:jr|sr|ii|iii|iv)\.?$/i
const INITIALS = /^(?:\p{L}\.?){1,2}$/u

const parts = (name: string): readonly string[] => name.replace(SUFFIX, '').split(/\s+/)

/** A name without the initials in its middle: "Robert S. Mueller" is "Robert Mueller". */
function withoutInitials(name: string): string {
  const words = parts(name)
  return words.filter((word, i) => i === 0 || i === words.length - 1 || !INITIALS.test(word)).join(' ')
}

/** Surnames so well known that a newspaper uses them alone: kept short on purpose, each one person for decades of news. */
const FAMOUS: ReadonlyMap<string, string> = new Map(
  `Trump|Donald Trump
Obama|Barack Obama
Putin|Vladimir Putin
Merkel|Angela Merkel
Macron|Emmanuel Macron
Erdogan|Recep Tayyip Erdogan
Netanyahu|Benjamin Netanyahu
Zelensky|Volodymyr Zelensky
Zelenskyy|Volodymyr Zelensky
Assad|Bashar al-Assad
Biden|Joe Biden
Hitler|Adolf Hitler`
    .split('\n')
    .map((line) => line.split('|'))
    .map(([short = '', full = '']) => [nameKey(short), full] as const),
)

/** Which full name in the article a short form stands for, if there is exactly one. */
export interface PersonNames {
  nameOf(written: string): string
}

/** From all persons an article names, as written (titles and possessives gone, aliases applied). */
export function personNames(written: readonly string[]): PersonNames {
  const full = new Set(written.filter((name) => parts(name).length > 1))
  const plain = new Set([...full].map(nameKey))
  const canonical = (name: string): string => {
    const shorter = withoutInitials(name)
    return plain.has(nameKey(shorter)) ? shorter : name
  }
  const names = [...new Set([...full].map(canonical))]
  const byLast = grouped(names, (name) => parts(name).at(-1) ?? '')
  const byFirst = grouped(names, (name) => parts(name)[0] ?? '')
  return {
    nameOf: (name) => {
      if (parts(name).length > 1) return canonical(name)
      const key = nameKey(name)
      const namesakes = byLast.get(key) ?? byFirst.get(key) ?? []
      return wellKnown(key, namesakes) ?? only(namesakes) ?? name
    },
  }
}

/** The famous bearer of a surname, unless exactly one other is named in full. */
function wellKnown(key: string, namesakes: readonly string[]): string | undefined {
  const famous = FAMOUS.get(key)
  return famous === undefined || namesakes.length !== 1 || namesakes.includes(famous) ? famous : undefined
}

const only = (names: readonly string[]): string | undefined => (names.length === 1 ? names[0] : undefined)

function grouped(names: readonly string[], by: (name: string) => string): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>()
  for (const name of names) {
    const key = nameKey(by(name))
    groups.set(key, [...(groups.get(key) ?? []), name])
  }
  return groups
}

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

/** First names and their short forms, in both directions within one article: "Jim Mattis" is "James Mattis". */
const NICKNAMES: ReadonlyMap<string, string> = new Map(
  `andy andrew,ben benjamin,bill william,bob robert,chris christopher,chuck charles,dan daniel,dave david,dick richard
  don donald,ed edward,greg gregory,jeff jeffrey,jim james,joe joseph,ken kenneth,larry lawrence,liz elizabeth
  matt matthew,mike michael,mitch mitchell,nick nicholas,pete peter,rick richard,rob robert,ron ronald,sam samuel
  steve stephen,steven stephen,ted edward,tim timothy,tom thomas,tony anthony,will william`
    .split(/[,\n]/)
    .map((pair) => pair.trim().split(' '))
    .map(([short = '', long = '']) => [short, long] as const),
)

/** First and last name, a short first name in its long form: equal keys in one article are one person. */
function personKey(name: string): string {
  const words = nameKey(parts(name).join(' ')).split(' ')
  const first = words[0] ?? ''
  return `${NICKNAMES.get(first) ?? first} ${words.slice(1).join(' ')}`
}

/** Which full name in the article a short form stands for, if there is exactly one. */
export interface PersonNames {
  nameOf(written: string): string
}

/** From all persons an article names, as written (titles and possessives gone, aliases applied). */
export function personNames(written: readonly string[]): PersonNames {
  const full = new Set(written.filter((name) => parts(name).length > 1))
  const plain = new Set([...full].map(nameKey))
  const firstForm = new Map<string, string>()
  const canonical = (name: string): string => {
    const shorter = withoutInitials(name)
    const form = plain.has(nameKey(shorter)) ? shorter : name
    const key = personKey(form)
    if (!firstForm.has(key)) firstForm.set(key, form)
    return firstForm.get(key) ?? form
  }
  const names = [...new Set([...full].map(canonical))]
  const byLast = grouped(names, (name) => parts(name).at(-1) ?? '')
  const byFirst = grouped(names, (name) => parts(name)[0] ?? '')
  return {
    nameOf: (name) => {
      if (parts(name).length > 1) return canonical(name)
      const key = nameKey(name)
      const family = byLast.get(key) ?? []
      const namesakes = family.length > 0 ? family : (byFirst.get(key) ?? [])
      return wellKnown(key, family) ?? only(namesakes) ?? name
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

import type { KnownName } from './aliases.ts'
import { isFirstName, type Sex, sexOf } from './first-names.ts'
import type { Titles } from './mentions.ts'
import { compatible, isParticle, type PersonForm } from './person-form.ts'

/** A person as one mention names him or her. */
export interface PersonMention {
  readonly form: PersonForm
  readonly titles: Titles
  readonly known: KnownName | undefined
}

/** A person that the article names in full, in one form or several. */
export interface Person {
  readonly forms: FullName[]
  known: KnownName | undefined
}

interface FullName {
  readonly form: PersonForm
  readonly known: KnownName | undefined
  readonly titles: Titles[]
}

/** More different names with one surname than these are a list, of which no two are put together. */
const MOST_NAMESAKES = 40

export const formKey = ({ words, generation }: PersonForm): string => `${words.join(' ')}|${generation}`

/** The persons of an article, from its full names, and who bears which. */
export function personsOf(mentions: readonly PersonMention[]): ReadonlyMap<string, Person> {
  const names = fullNames(mentions)
  const persons = new Map<string, Person>()
  for (const family of groupedBy([...names.values()], ({ form }) => form.surname).values()) {
    for (const person of grouped(family)) {
      for (const { form } of person.forms) persons.set(formKey(form), person)
    }
  }
  absorbSurnames(persons)
  return persons
}

function fullNames(mentions: readonly PersonMention[]): ReadonlyMap<string, FullName> {
  const names = new Map<string, FullName>()
  for (const { form, titles, known } of mentions) {
    if (!form.full) continue
    const key = formKey(form)
    const before = names.get(key)
    if (before === undefined) names.set(key, { form, known, titles: [titles] })
    else before.titles.push(titles)
  }
  return names
}

/** Of one surname: the fullest names first, so that a shorter one finds everybody it could stand for. */
function grouped(family: readonly FullName[]): Person[] {
  const persons: Person[] = []
  const sorted = [...family].sort(
    (a, b) => fullness(b.form) - fullness(a.form) || (formKey(a.form) < formKey(b.form) ? -1 : 1),
  )
  for (const name of sorted) {
    const fitting = family.length > MOST_NAMESAKES ? [] : persons.filter((person) => mayBe(person, name))
    const [person] = fitting
    if (person !== undefined && fitting.length === 1) join(person, [name])
    else persons.push({ forms: [name], known: name.known })
  }
  return persons
}

/** A name written out counts twice an initial. */
const fullness = ({ given }: PersonForm): number => given.reduce((sum, name) => sum + (name.length > 1 ? 2 : 1), 0)

function mayBe({ forms, known }: Person, name: FullName): boolean {
  if (known !== undefined && name.known !== undefined) return known.name === name.known.name
  return forms.every(({ form }) => compatible(form, name.form))
}

function join(person: Person, names: readonly FullName[]): void {
  person.forms.push(...names)
  person.known ??= names.find(({ known }) => known !== undefined)?.known
}

/** "López Obrador" and "de Blasio" look like full names and are the end of one, if there is exactly one. */
function absorbSurnames(persons: Map<string, Person>): void {
  const byEnding = endings(new Set(persons.values()))
  for (const [key, person] of persons) {
    const ending = endingOf(person)
    const longer = ending === null ? [] : (byEnding.get(ending) ?? []).filter((each) => each !== person)
    const [bearer] = longer
    if (bearer !== undefined && longer.length === 1) persons.set(key, bearer)
  }
}

/** What a longer name would have to end in to be this one, where this may be a surname alone. */
function endingOf({ forms: [only, ...more], known }: Person): string | null {
  if (only === undefined || more.length > 0 || known !== undefined) return null
  return isSurname(only.form) ? only.form.words.join(' ') : null
}

const isSurname = ({ given: [first = ''], generation }: PersonForm): boolean =>
  generation === '' && first.length > 1 && (isParticle(first) || !isFirstName(first))

/** Everybody by each ending of a full name: "lopez obrador", "obrador". */
export function endings(persons: ReadonlySet<Person>): ReadonlyMap<string, readonly Person[]> {
  const found = new Map<string, Person[]>()
  for (const person of persons) {
    const keys = person.forms.flatMap(({ form: { words } }) =>
      words.slice(1).map((_, i) => words.slice(i + 1).join(' ')),
    )
    for (const key of new Set(keys)) addTo(found, key, person)
  }
  return found
}

export function addTo<Item>(groups: Map<string, Item[]>, key: string, item: Item): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [item])
  else group.push(item)
}

export function groupedBy<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) addTo(groups, keyOf(item), item)
  return groups
}

/** What titles in the article say, else the first name. */
export function sexOfPerson({ forms }: Person): Sex | null {
  const titled = forms.flatMap(({ titles }) => titles).find(({ sex }) => sex !== null)?.sex
  return titled ?? forms.map(({ form }) => sexOf(form.given[0] ?? '')).find((sex) => sex !== null) ?? null
}

/** The name kept: the alias map's, else the form that is fullest without initials, then the most frequent. */
export function nameOfPerson({ forms, known }: Person): string {
  if (known !== undefined) return known.name
  const rank = ({ form: { given, generation }, titles }: FullName): number =>
    (given[0]?.length === 1 ? 0 : 4e6) +
    (given.some((name) => name.length === 1) ? 0 : 2e6) +
    (generation === '' ? 1e6 : 0) +
    titles.length
  const best = [...forms].sort(
    (a, b) => rank(b) - rank(a) || b.form.name.length - a.form.name.length || (a.form.name < b.form.name ? -1 : 1),
  )
  return best[0]?.form.name ?? ''
}

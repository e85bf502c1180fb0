/**
 * Makes `first-names.tsv`: `name<TAB>f|m|b`, the name as `nameKey` folds it, b where both sexes bear it.
 * Usage: `npm install --prefix DIR @faker-js/faker@10`, then `npx tsx models/names/first-names.ts DIR`.
 */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { z } from 'zod'
import { nameKey } from '../../src/language/names/name-key.ts'

const Names = z.array(z.string()).optional()
const Faker = z.object({
  rawDefinitions: z.object({
    person: z.object({ first_name: z.object({ female: Names, male: Names }).optional() }).optional(),
  }),
})
const LOCALES =
  'en en_GB en_AU en_IN en_NG en_GH en_ZA de de_CH fr fr_SN es es_MX it pt_BR pt_PT nl sv da nb_NO fi pl cs_CZ sk hu hr ro tr sr_RS_latin az af_ZA'
/** Borne by both sexes where English news is written, whatever one list says. */
const EPICENE =
  'addison adrian alexis alex ali aubrey ashley ashton avery bailey beverly billie blair bobbie brett brook brooke cameron carey carmen carol casey cary charlie chris clair claude cody corey courtney dakota dale dana darcy devin devon dominique drew dylan eden ellis emerson evelyn fabian finley florence francis gabriel gale gayle guadalupe hayden hilary hillery hunter ira ivory jackie jaime jamie jan jay jean jesse jessie jo joan jocelyn jody joel jordan jordyn jose joyce jude jules julian kai kari kelly kendall kennedy kerry kim kirby kyle lane lauren laurie lavern lee leigh leslie lesley lindsay lindsey logan loren lou lupe lynn mackenzie madison marion marlin maria mario max meredith merle michele mika mike misha morgan nat nicola nikita noel page paris parker pat patrick pay perry peyton phoenix quinn reagan reese remy rene riley robbie robin rory rowan ruby ryan sage sam samar sandy sasha sean shannon shawn shay shea shelby shelley shirley sidney skyler stacey stacy sydney taylor terry toby toni tony tracey tracy tyler val valentine vivian vivien whitney yael yannick yuri'.split(
    ' ',
  )

const load = createRequire(`${resolve(process.argv[2] ?? '.')}/package.json`)
const { allFakers } = z.object({ allFakers: z.record(z.string(), Faker) }).parse(load('@faker-js/faker'))

const sexes = new Map<string, Set<string>>()
for (const locale of LOCALES.split(' ')) {
  const names = allFakers[locale]?.rawDefinitions.person?.first_name
  for (const sex of ['female', 'male'] as const) {
    for (const name of names?.[sex] ?? []) {
      const key = nameKey(name)
      if (/^[a-z]{2,}$/.test(key)) sexes.set(key, (sexes.get(key) ?? new Set()).add(sex.slice(0, 1)))
    }
  }
}
for (const name of EPICENE) sexes.set(name, new Set(['f', 'm']))
const lines = [...sexes].sort(([a], [b]) => (a < b ? -1 : 1))
writeFileSync(
  new URL('first-names.tsv', import.meta.url),
  lines.map(([name, of]) => `${name}\t${of.size === 2 ? 'b' : [...of].join('')}\n`).join(''),
)

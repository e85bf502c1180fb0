import type { QualityRecord, QualityRun } from '../domain/quality/figures.ts'

/** The page with its two tables made from the record; what people wrote around them stays. */
export const withFigures = (page: string, { sets, gate }: QualityRecord): string =>
  withBlock(withBlock(page, 'sets', table(sets)), 'gate', table(gate))

function withBlock(page: string, name: string, block: string): string {
  const [begin, end] = [`<!-- ${name}: generated -->`, `<!-- ${name}: end -->`]
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`The page has no place for the figures between ${begin} and ${end}`)
  return `${page.slice(0, from + begin.length)}\n${block}\n${page.slice(to)}`
}

const table = ({ measured_at, models, figures }: QualityRun): string =>
  [
    `Measured ${measured_at}${models.length > 0 ? ` with ${models.map((model) => `\`${model}\``).join(', ')}` : ''}.`,
    '',
    '| set | measure | value | n |',
    '|---|---|---|---|',
    ...figures.map(({ name, measure, value, n }) => `| ${name} | ${measure} | ${shown(measure, value)} | ${n} |`),
  ].join('\n')

/** Counts have no decimals. */
const shown = (measure: string, value: number): string =>
  measure.startsWith('pairs_') ? String(value) : value.toFixed(4)

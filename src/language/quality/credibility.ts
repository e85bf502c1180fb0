import { z } from 'zod'
import { parsedUrl } from '../../events/canonical-url.ts'
import { entryOfHost } from '../publishers/publishers.ts'

/** Value of a domain that is not in the table. */
export const NEUTRAL = 0.5
/** A domain as tables must write it: `cnn.com`, not `https://CNN.com/` or `www.cnn.com`. */
const Domain = z
  .string()
  .regex(/^(?!www\.)(?:[a-z0-9-]+\.)+[a-z0-9-]{2,}$/u, 'must be a bare domain in small letters, without www')

const Table = z.strictObject({
  classes: z
    .record(z.string(), z.strictObject({ score: z.number().min(0).max(1), why: z.string().min(1) }))
    .default({}),
  domains: z.record(
    Domain,
    z.strictObject({ class: z.string(), names: z.array(z.string()).default([]), why: z.string().min(1) }),
  ),
})

/** Reputations by domain and by publisher's name (lower case), 0 to 1. */
export interface Credibility {
  readonly domains: ReadonlyMap<string, number>
  readonly names: ReadonlyMap<string, number>
}

/**
 * Parses `models/credibility/domains.json` and an operator's file of the same form, whose classes and domains replace
 * those of the first. Throws an error that names the invalid field.
 */
export function parseCredibility(shipped: string, override?: string): Credibility {
  const table = parseTable('The credibility table', shipped)
  if (override === undefined) return indexed(table)
  const over = parseTable('The file in CREDIBILITY_FILE', override)
  return indexed({
    classes: { ...table.classes, ...over.classes },
    domains: { ...table.domains, ...over.domains },
  })
}

function parseTable(name: string, json: string): z.infer<typeof Table> {
  const parsed = Table.safeParse(jsonOf(name, json))
  if (!parsed.success) throw new Error(`${name} is not as it should be\n${z.prettifyError(parsed.error)}`)
  return parsed.data
}

function jsonOf(name: string, json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new Error(`${name} is no JSON`, { cause })
  }
}

function indexed({ classes, domains }: z.infer<typeof Table>): Credibility {
  const scored = Object.entries(domains).map(([domain, { class: name, names }]) => {
    const score = classes[name]?.score
    if (score === undefined) throw new Error(`The credibility table puts ${domain} into an unknown class: ${name}`)
    return { domain, names, score }
  })
  return {
    domains: new Map(scored.map(({ domain, score }) => [domain, score])),
    names: new Map(scored.flatMap(({ names, score }) => names.map((name) => [name.toLowerCase(), score] as const))),
  }
}

/**
 * Reputation of an article's publisher, 0 to 1; `NEUTRAL` if unknown. It is found by the domain of the URL, or by the
 * source name if there is no valid URL: anyone can write a name.
 */
export function credibility(
  known: Credibility,
  article: { readonly url: string | null; readonly source: string | null },
) {
  const url = article.url === null ? null : parsedUrl(article.url)
  if (url !== null) return entryOfHost(url.hostname.toLowerCase(), known.domains) ?? NEUTRAL
  return known.names.get(article.source?.trim().toLowerCase() ?? '') ?? NEUTRAL
}

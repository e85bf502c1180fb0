import { z } from 'zod'

/** What a domain outside the table is worth: nothing is known for it or against it. */
export const NEUTRAL = 0.5

const Table = z.object({
  classes: z.record(z.string(), z.object({ score: z.number().min(0).max(1), why: z.string() })),
  domains: z.record(z.string(), z.object({ class: z.string(), names: z.array(z.string()), why: z.string() })),
})

/** Reputations by domain and by publisher's name (lower case), 0 to 1. */
export interface Credibility {
  readonly domains: ReadonlyMap<string, number>
  readonly names: ReadonlyMap<string, number>
}

/** Reads the text of `models/credibility/domains.json`; a table that contradicts itself is an error at the start, not a guess later. */
export function parseCredibility(json: string): Credibility {
  const { classes, domains } = Table.parse(JSON.parse(json))
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
 * Reputation of the publisher, 0 to 1. The address decides where there is one (anybody can write a name); the name
 * counts only for articles without an address. Unknown: `NEUTRAL`.
 */
export function credibility(
  known: Credibility,
  article: { readonly url: string | null; readonly source: string | null },
) {
  if (article.url !== null && URL.canParse(article.url)) return ofHost(known.domains, new URL(article.url).hostname)
  return known.names.get(article.source?.trim().toLowerCase() ?? '') ?? NEUTRAL
}

/** `edition.cnn.com` stands under `cnn.com`. */
function ofHost(domains: ReadonlyMap<string, number>, host: string): number {
  const labels = host.toLowerCase().split('.')
  for (let from = 0; from < labels.length - 1; from++) {
    const score = domains.get(labels.slice(from).join('.'))
    if (score !== undefined) return score
  }
  return NEUTRAL
}

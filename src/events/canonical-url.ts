/**
 * Query parameters that identify a visit, not the content. The list is public, because producers compute ids with it.
 */
export const TRACKING_PARAMETERS: ReadonlySet<string> = new Set(
  (
    'fbclid gclid dclid gclsrc msclkid yclid twclid igshid mc_cid mc_eid mkt_tok ref ref_src ref_url cmpid cmp ocid ' +
    'icid ito ncid sr_share smid smtyp sref spm src_trk trk _ga _gl _hsenc _hsmi hsctatracking wt_mc guccounter ' +
    'guce_referrer guce_referrer_sig ftag partner soc_src soc_trk taid tpcc xtor at_medium at_campaign at_custom1 amp'
  ).split(' '),
)

const tracks = (name: string): boolean => /^utm_/i.test(name) || TRACKING_PARAMETERS.has(name.toLowerCase())

/**
 * Canonicalises a URL: https, lower-case host without `www.`, `m.`, `amp.`, no default port, fragment, trailing slash
 * or tracking parameters, remaining query sorted. `null` if it is not an http(s) URL.
 */
export function canonicalUrl(url: string): string | null {
  const parsed = parsedUrl(url.trim())
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || !parsed.hostname.includes('.')) return null

  const host = parsed.hostname.replace(/^(?:(?:www|m|amp)\.)+(?=[^.]+\.)/, '')
  const port = ['', '80', '443'].includes(parsed.port) ? '' : `:${parsed.port}`
  const path = parsed.pathname.replace(/\/+$/, '')
  const kept = [...parsed.searchParams].filter(([name]) => !tracks(name))
  kept.sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
  const query = kept.length > 0 ? `?${new URLSearchParams(kept).toString()}` : ''
  return `https://${host}${port}${path}${query}`
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * `null` if the text is not a URL. Not `URL.canParse`: in Node 20 it returns false for every URL with non-ASCII letters
 * once V8 has compiled the caller.
 */
export function parsedUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

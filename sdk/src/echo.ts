import type { components, paths } from './api.ts'

type EchoEnrichment = components['schemas']['Enrichment']
export type EchoPlatform = EchoEnrichment['platform']

/** Name of each platform, for people. */
export const PLATFORM_TITLES: Readonly<Record<EchoPlatform, string>> = {
  reddit: 'Reddit',
  bluesky: 'Bluesky',
  twitter: 'X',
}

export const PLATFORMS = Object.keys(PLATFORM_TITLES) as readonly EchoPlatform[]
export const ENTITY_SCOPES = ['editorial', 'public', 'novel', 'any'] as const

type EchoQuery = NonNullable<paths['/echo/v1/echo/search']['get']['parameters']['query']>

/** The service's parameters, with one platform or several. */
export type EchoSearch = Omit<EchoQuery, 'platform'> & { readonly platform?: EchoPlatform | readonly EchoPlatform[] }

/** The query in the form the service expects. Throws a `TypeError` for an unknown `entity_scope`. */
export function echoQuery({ platform, ...rest }: EchoSearch): EchoQuery {
  const { entity_scope } = rest
  if (entity_scope !== undefined && !ENTITY_SCOPES.includes(entity_scope)) {
    throw new TypeError(`entity_scope: expected one of ${ENTITY_SCOPES.join(', ')}, got ${entity_scope}`)
  }
  return { ...rest, ...(platform === undefined ? {} : { platform: joined(platform) }) }
}

const joined = (platform: EchoPlatform | readonly EchoPlatform[]): string => [platform].flat().join(',')

/** Splits a list into lists of at most `size`, in order. */
export function chunks<One>(all: readonly One[], size: number): One[][] {
  const out: One[][] = []
  for (let at = 0; at < all.length; at += size) out.push(all.slice(at, at + size))
  return out
}

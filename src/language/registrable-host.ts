import { getDomain } from 'tldts'

/**
 * The part of a host name that its owner registered, by the public suffix list: `bbc.co.uk` of `news.bbc.co.uk`. Hosts
 * of different owners under one name, such as those of `github.io`, are different. An address, and a name without an
 * owner, is returned as it is.
 */
export const registrableHost = (host: string): string => getDomain(host, { allowPrivateDomains: true }) ?? host

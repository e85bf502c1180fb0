/** What pages leave in a headline: players, links to themselves. */
const FURNITURE = /\s+(?:Listen\s*·.*|Read more(?: at)?:.*|https?:\/\/\S*|\[(?:video|photos?|updated?)\])$/iu
/** The author and the day, set off by blanks. */
const SIGNED = /\s{2,}(?:\p{Lu}[\p{L}.'’-]+\s+){2,6}Staff\b.*$/u
const UPDATED = /^(?:UPDATED?|BREAKING(?: NEWS)?|JUST IN|DEVELOPING)\s*[:|–—-]\s*/u

/** A headline as a story shows it: without what its page added. */
export const shownHeadline = (title: string): string =>
  title.replace(SIGNED, '').replace(/\s+/gu, ' ').trim().replace(FURNITURE, '').replace(UPDATED, '').trim() || title

/** More than is needed to distinguish articles. */
const CHARS = 200

/** What an article's first sentence is known by, as a text or as words: its visible characters. */
export const topicOf = (sentence: string | readonly string[] | undefined): string =>
  (typeof sentence === 'string' ? sentence.replace(/\s+/gu, '') : (sentence ?? []).join('')).slice(0, CHARS)

import anyAscii from 'any-ascii'
import { remembered } from '../memoize.ts'

/** A name in Latin letters without marks, its words capitalised: "Дональд Трамп" is "Donald Tramp". */
export const romanised = remembered((name): string =>
  anyAscii(withGreekSounds(name.replace(/[・·‧]/gu, ' ')))
    .replace(/['"`]/gu, '')
    .replace(/(?<![A-Za-z])[a-z]/gu, (letter) => letter.toUpperCase()),
)

/** Greek writes the sounds of D and B with two letters, as at the beginning of a word: "Ντόναλντ". */
const withGreekSounds = (name: string): string =>
  /\p{Script=Greek}/u.test(name)
    ? name
        .replace(/(?<!\p{L})ντ|(?<=[λρ])ντ/giu, 'd')
        .replace(/(?<!\p{L})μπ/giu, 'b')
        .replace(/ου/gu, 'u')
    : name

/** Spellings of sounds, in the order in which they are replaced. */
const SPELLINGS: readonly (readonly [spelling: RegExp, sound: string])[] = [
  [/dzh|dsch|dj/g, 'j'],
  [/kh/g, 'h'],
  [/tsch|tch|sch|sh|zh|cz|ch|ts|tz|sz/g, 's'],
  [/ph/g, 'f'],
  [/x/g, 'ks'],
  [/ck|q/g, 'k'],
  [/c(?=[eiy])/g, 's'],
  [/g(?=[eiy])/g, 'j'],
  [/n(?=[pb])/g, 'm'],
  [/^h/g, ''],
  [/(?!^)[aeiouyhw]/g, ''],
  [/^[aeiouyw]/g, 'a'],
  [/[bp]/g, 'p'],
  [/[fv]/g, 'f'],
  [/[dt]/g, 't'],
  [/[cgk]/g, 'k'],
  [/[lr]/g, 'l'],
  [/[zs]/g, 's'],
  [/(.)\1+/g, '$1'],
]

/**
 * What most transliterations keep of the sound of a name: its consonants in classes, word by word. "Merkel", "Меркель" and
 * "メルケル" have the same key. Different names can have the same key, too.
 */
export const soundKey = remembered((name): string =>
  romanised(name)
    .toLowerCase()
    .split(/[^a-z]+/u)
    .filter(Boolean)
    .map((word) => SPELLINGS.reduce((sound, [spelling, to]) => sound.replace(spelling, to), word))
    .join(' '),
)

/** Letters that English and transliterations write differently for one sound, in the order in which they are replaced. */
const SIMPLER: readonly (readonly [spelling: RegExp, simple: string])[] = [
  [/[^a-z ]/g, ''],
  [/dzh/g, 'j'],
  [/kh/g, 'h'],
  [/ks/g, 'x'],
  [/ph/g, 'f'],
  [/th/g, 't'],
  [/ck|c(?=[aouklr])|c$|q/g, 'k'],
  [/oo/g, 'u'],
  [/w/g, 'v'],
  [/y/g, 'i'],
  [/h(?![aeiou])/g, ''],
  [/(.)\1+/g, '$1'],
  [/(?<=..)e\b/g, ''],
]

/** A name in Latin letters in its simplest spelling: "Klark" and "Clark", "Massachusets" and "Massachusetts" are one. */
export const simplest = remembered((name): string =>
  SIMPLER.reduce((text, [spelling, simple]) => text.replace(spelling, simple), romanised(name).toLowerCase()),
)

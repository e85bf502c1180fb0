import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { projectPath } from '../../config/project-path.ts'
import { nameKey } from './name-key.ts'

interface PlaceNames {
  /** Keys of every name of a place. */
  readonly all: ReadonlySet<string>
  /** ISO 3166-1 alpha-2 code in lower case to the country's names without blanks. */
  readonly countries: ReadonlyMap<string, readonly string[]>
}

let shipped: PlaceNames | undefined

/** The committed table of places, its names alone; read on first use. */
const placeNames = (): PlaceNames =>
  (shipped ??= read(gunzipSync(readFileSync(projectPath('models/places/places.tsv.gz'))).toString('utf8')))

function read(tsv: string): PlaceNames {
  const all = new Set<string>()
  const countries = new Map<string, readonly string[]>()
  for (const line of tsv.split('\n')) {
    const fields = line.split('\t')
    const keys = keysOf(fields)
    for (const key of keys) all.add(key)
    if (fields[1] === 'country') countries.set(fields[2]?.toLowerCase() ?? '', keys.map(solid))
  }
  return { all, countries }
}

const keysOf = ([name = '', , , , , aliases = '']: readonly string[]): readonly string[] =>
  [name, ...aliases.split('|')].filter((each) => each !== '').map(nameKey)

const solid = (key: string): string => key.replaceAll(' ', '')

/** Whether a place has this name, as `nameKey` folds it. */
export const isPlaceName = (key: string): boolean => placeNames().all.has(key)

/**
 * What a code in lower case is short for, without blanks: ISO 3166-1 alpha-2, alpha-3 and the Olympic Committee's where
 * they are often used, and the US Postal Service's of states.
 */
export function namesOfCode(code: string): readonly string[] {
  const state = STATES.get(code)
  return [...(placeNames().countries.get(LONGER.get(code) ?? code) ?? []), ...(state === undefined ? [] : [state])]
}

const pairs = (list: string): ReadonlyMap<string, string> =>
  new Map(list.split(/\s+/u).map((pair) => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)]))

const LONGER = pairs(
  `afg:af alb:al arg:ar arm:am aus:au aut:at aze:az bel:be ben:bj bgd:bd bgr:bg bhr:bh bih:ba blr:by bol:bo bra:br
  can:ca che:ch chl:cl chn:cn civ:ci cmr:cm col:co cri:cr cub:cu cyp:cy cze:cz den:dk deu:de dnk:dk dom:do dza:dz
  ecu:ec egy:eg eri:er esp:es est:ee eth:et fin:fi fra:fr gbr:gb geo:ge ger:de gha:gh gin:gn grc:gr gre:gr gtm:gt
  hkg:hk hnd:hn hrv:hr cro:hr hti:ht hun:hu idn:id ind:in irl:ie irn:ir irq:iq isl:is isr:il ita:it jam:jm jor:jo
  jpn:jp kaz:kz ken:ke kgz:kg khm:kh kor:kr prk:kp ksa:sa kwt:kw lao:la lbn:lb lbr:lr lby:ly lka:lk ltu:lt lux:lu
  lva:lv mar:ma mda:md mdg:mg mex:mx mli:ml mlt:mt mmr:mm mng:mn moz:mz mys:my nam:na ned:nl ner:ne nga:ng nic:ni
  nld:nl nor:no npl:np nzl:nz omn:om pak:pk per:pe phl:ph png:pg pol:pl prt:pt por:pt pry:py qat:qa rou:ro rsa:za
  rus:ru rwa:rw sau:sa sdn:sd sen:sn sgp:sg sle:sl slv:sv som:so srb:rs ssd:ss sui:ch svk:sk svn:si swe:se syr:sy
  tcd:td tha:th tjk:tj tkm:tm tun:tn tur:tr twn:tw tza:tz uga:ug ukr:ua ury:uy usa:us uk:gb uzb:uz ven:ve vnm:vn
  yem:ye zaf:za zmb:zm zwe:zw`,
)

const STATES = pairs(
  `al:alabama ak:alaska az:arizona ar:arkansas ca:california co:colorado ct:connecticut de:delaware fl:florida
  ga:georgia hi:hawaii id:idaho il:illinois in:indiana ia:iowa ks:kansas ky:kentucky la:louisiana me:maine md:maryland
  ma:massachusetts mi:michigan mn:minnesota ms:mississippi mo:missouri mt:montana ne:nebraska nv:nevada
  nh:newhampshire nj:newjersey nm:newmexico ny:newyorkstate nc:northcarolina nd:northdakota oh:ohio ok:oklahoma
  or:oregon pa:pennsylvania ri:rhodeisland sc:southcarolina sd:southdakota tn:tennessee tx:texas ut:utah vt:vermont
  va:virginia wa:washingtonstate wv:westvirginia wi:wisconsin wy:wyoming`,
)

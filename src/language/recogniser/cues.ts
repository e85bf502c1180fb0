const list = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

/** Words that names of organisations are made of; compared in lower case. */
export const ORG_CUES: ReadonlySet<string> = list(
  `inc corp corporation co company companies ltd llc plc group holdings bank bancorp university college institute
  school academy ministry department agency bureau office committee commission council congress parliament senate
  assembly court tribunal party union association federation league club fc united foundation trust fund society army
  navy force forces police guard corps church mosque hospital airlines airways motors energy petroleum oil gas
  technologies systems media news times post journal tribune herald gazette guardian network television radio press
  agency authority board organization organisation alliance coalition front movement partners capital securities
  insurance industries international national brothers center centre laboratory museum library team administration
  service services labour conservative democratic republican socialist communist liberal`,
)

/** Words that names of places are made of; compared in lower case. */
export const LOC_CUES: ReadonlySet<string> = list(
  `river lake mountain mountains mount valley desert sea ocean gulf bay strait peninsula island islands isle coast
  beach cape canal forest park avenue street road boulevard square bridge highway airport county province district
  region state city town village township capital border north south east west northern southern eastern western
  central upper lower port fort camp hill hills creek falls springs canyon plaza republic kingdom territory`,
)

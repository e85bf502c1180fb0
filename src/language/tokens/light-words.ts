import { FUNCTION_WORDS } from '../quality/function-words.ts'

/** English words of a content class that nobody searches by: light verbs, quantities, times, forms of address. */
const LIGHT = new Set(
  (
    'able about according across actually ago ahead almost alone along already also always am among amid another any ' +
    'anyone anything apparently around asked asking away back bad became become becomes becoming been began begin being ' +
    'believe best better big both bring brought called calling came can cannot come comes coming could did different do ' +
    'does doing done down each early earlier either else end enough even ever every everyone everything far few find first ' +
    'five former found four full further gave general get gets getting give given gives giving go goes going gone good got ' +
    'great had half happen happened has have having he hear held her here hers high him his hold however including inside ' +
    'instead is its just keep kept kind knew know known large last late later latest lead least leave left less let like ' +
    'likely little long look looked looking lot lots low made main make makes making many may maybe me mean means might ' +
    'more morning most move moved mr mrs ms much must my near nearly need needed needs never new next night nine nothing ' +
    'number often old once only open other others our own part past place point possible probably put quite rather real ' +
    'really recent recently right said same saw say saying says second see seem seemed seems seen set seven several shall ' +
    'she should show showed shown side similar simply since six small some someone something soon still such sure take ' +
    'taken takes taking tell telling ten than thank thanks that their them then there these they thing things think ' +
    'thinking third this those though thought three through thus time times today together told tomorrow tonight too took ' +
    'top toward towards tried true try trying turn turned two under us use used using various very want wanted wants was ' +
    'way ways we week weeks well went were what whatever when where whether which while who whole whom whose why will with ' +
    'within without work would year years yes yesterday yet you young your day days month months hour hours minute minutes ' +
    'monday tuesday wednesday thursday friday saturday sunday don didn doesn isn wasn won couldn wouldn ' +
    'feel feels feeling felt ask asks nov dec jan feb aug sept oct eleven twelve twenty percent ' +
    'mon tue wed thu fri sat sun sen rep gov dr hundred thousand million billion one zero eight people'
  ).split(' '),
)

const SMALL = new Map(Object.entries(FUNCTION_WORDS))
const NONE: ReadonlySet<string> = new Set()

/** English contractions: `don't`, `they've`; their first part is a small word always. */
const CONTRACTION = /['’](?:t|re|ve|ll|d|m)$/u

/** Whether a word, in lower case, says nothing about an article by itself. An unknown language is read as English. */
export function isLight(word: string, language: string): boolean {
  const small = SMALL.get(language === 'und' ? 'en' : language) ?? NONE
  if (small.has(word)) return true
  return (language === 'en' || language === 'und') && (LIGHT.has(word) || CONTRACTION.test(word))
}

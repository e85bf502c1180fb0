import { headlineCues } from '../../language/genre/cues.ts'

/** What ends or turns an affair, and the forms of verbs in which a headline reports that it has happened. */
const OUTCOMES: readonly (readonly [string, RegExp])[] = [
  [
    'a death or an attack',
    /\b(?:dies|died|dead(?! on arrival)|killed|kills|shot dead|fatally|assassinated|bombed|executed)\b/u,
  ],
  [
    'an arrest or a charge',
    /\b(?:arrested|detained|indicted|indicts|pleads? guilty|pled guilty|surrenders|charged with)\b/u,
  ],
  [
    'a verdict or a ruling',
    /\b(?:convicted|guilty|acquitted|sentenced|upholds|upheld|strikes down|struck down|overturns|overturned|blocks|blocked|halts|halted|reinstates|(?:court|judge|justices|jury) (?:\S+ ){0,4}(?:rules|ruled|rejects|refuses|dismisses|allows|lets|sides))\b/u,
  ],
  [
    'a resignation, a dismissal or a withdrawal',
    /\b(?:resigns|resigned|steps down|stepped down|quits|fires(?! (?:back|at|on|shots|\S*missiles?|ballistic))|(?:is|was|are|were|gets|got) fired|fired by|ousts|ousted|sacks|sacked|dismissed|drops out|withdraws|withdrew|pulls out|recuses)\b/u,
  ],
  [
    'an appointment or an election',
    /\b(?:nominates|appoints|appointed|confirmed|confirms|sworn in|swears in|elected|wins|won|beats|(?:picks|taps|names) (?:\S+ ){1,5}(?:as|for|to))\b/u,
  ],
  [
    'a vote or an act of law',
    /\b(?:passes|passed|approves|approved|votes (?:to|for|against)|voted|advances|(?:senate|house|congress|parliament|lawmakers|senators|committee|panel|board|voters|council) (?:\S+ ){0,2}(?:rejects|rejected|defeats|defeated)|collapses|shelves|shelved|vetoes|vetoed|signs(?! (?:of|that|point))|signed|repeals|repealed|cancels|canceled|cancelled|rescinds)\b/u,
  ],
  [
    'an agreement',
    /\b(?:agrees? (?:to|on)|agreed|reach(?:es|ed)? (?:\S+ ){0,3}(?:deal|agreement)|strikes? (?:\S+ ){0,3}deal|ceasefire|truce)\b/u,
  ],
  [
    'an attack or a sanction',
    /\b(?:imposes|imposed|retaliates|retaliated|bans|banned|declares? (?:war|\S* ?emergency|independence)|invades|launches|launched|slaps|hits back)\b/u,
  ],
]

/** What follows these words happened before, or is the reason. */
const BACKGROUND =
  /\b(?:after|amid|following|despite|since|because|ahead of|before|as|over|until|unless|when|while|who|that)\b.*$/u
/** It has not happened, or only in somebody's words. */
const UNCERTAIN =
  /\b(?:could|would|may|might|should|must|will|can|can't|won't|if|not|no|never|set to|likely|unlikely|plans?|vows?|wants?|seeks?|urges?|threatens?|poised|expected|hopes?|warns?|wonders?|near|nears|close to|on track|about to|looks to|almost|again|poll|reasons?|claims?|says? (?:it|he|she|they)|prepares?)\b|n't\b/u
const QUOTED = /["“][^"”]*["”]|(?<!\p{L})'[^']{2,}'(?!\p{L})/gu
const NOT_A_REPORT = [
  'label_opinion',
  'label_analysis',
  'form_explained',
  'form_list',
  'form_takeaways',
  'form_why',
  'form_question',
  'form_yes_or_no',
  'says_i_we_you',
  'says_verdict',
]

/** The outcome that a headline reports, in words; `null` if it reports none, doubts it, or is an opinion. */
export function outcomeIn(headline: string): string | null {
  const cues = headlineCues(headline)
  if (NOT_A_REPORT.some((cue) => cues[cue] === true)) return null
  const lower = headline.toLowerCase().replace(/[‘’]/gu, "'").replace(QUOTED, '')
  const main = lower.replace(BACKGROUND, '')
  if (UNCERTAIN.test(main)) return null
  return OUTCOMES.find(([, forms]) => forms.test(main))?.[0] ?? null
}

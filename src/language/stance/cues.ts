import type { SaidWords } from './said-words.ts'

/** What stands in a text says how it is meant; each is there or not. */
const PATTERNS = {
  denial:
    /\b(?:fake|false|hoax|debunk\w*|untrue|lies?|lying|lied|liars?|wrong|incorrect|inaccurate|mislead\w*|misinformation|disinformation|misinfo|propaganda|bull ?shit|bs|bullcrap|crap|nonsense|made up|fabricat\w*|photoshop\w*|disagree|baseless|bogus|ridiculous|fals\w+|den(?:y|ies|ied|ying)|refut\w*|disput\w*|myths?|satire|prank|scam|staged)\b/,
  not_so:
    /\b(?:(?:is|was|are|were|has|have|did|does|do|will|would|could)(?:n't| not|nt)|never|not|no|ain't|isnt|wasnt|didnt|doesnt|dont|cant|can't|cannot|won't|without|nothing|nobody|none|neither|nor)\b/,
  no_proof:
    /\b(?:no|zero|any|without|lack of|not (?:any|one|a)) (?:\w+ )?(?:evidence|proof|confirmation|source|facts?|truth|indication)\b/,
  not_true:
    /\b(?:not|isn't|isnt|wasn't|never|no|n't|aren't) (?:\w+ ){0,2}(?:confirmed|verified|true|real|correct|right|accurate|agree|happened|fact|the case|believe|islamic|credible)\b/,
  disbelief:
    /\b(?:don't believe|do not believe|doubt\w*|unbeliev\w+|yeah right|as if|come on|seriously|really|hard to believe|can't believe|cannot believe|skeptic\w*|sceptic\w*|suspicious|fishy|sounds? like|not buying|no way|makes? no sense)\b/,
  correcting:
    /^(?:no|nope|wrong|actually|false|lies?|but|bs|incorrect|not|sorry|except)\b|\b(?:actually|in fact|fact is|correction|wasn't him|isn't him|get your facts|facts straight|mistaken)\b/,
  affirming:
    /\b(?:yes|yep|yeah|yup|true|truth|confirm(?:ed|s|ing)?|verified|exactly|agreed?|correct|indeed|absolutely|well said|so right|spot on|right|of course|precisely|definitely|sure|official(?:ly)?|this)\b/,
  asking_proof:
    /\b(?:sources?|proof|evidence|citation|link|confirmed|confirmation|verified|legit|true|real|sure|certain|how do (?:you|we|they) know|says? who|according to (?:who|whom)|where did you)\b[^?]{0,40}\?|\bis (?:this|that|it|he|she) (?:true|real|confirmed|legit|for real|the)\b/,
  asking_word:
    /^(?:who|what|when|where|why|how|which|whose|is|are|was|were|do|does|did|has|have|can|could|would|will|should|any|so)\b/,
  wh_word: /\b(?:who|what|when|where|why|how|which)\b/,
  wondering:
    /\b(?:wonder\w*|curious|anyone know|any idea|does anyone|do we know|do you know|can (?:you|someone|anyone)|please (?:tell|explain)|what about|how come|what if)\b/,
  hedge:
    /\b(?:reportedly|allegedly|alleged|claims?|claimed|claiming|rumou?r(?:s|ed)?|unconfirmed|might|may|could|possibl[ey]|perhaps|maybe|apparently|supposedly|reports?|likely|suspected|investigat\w*|unclear|unverified|if true|questions?)\b/,
  attributed:
    /\b(?:says?|said|told|tells|according to|via|police|officials?|reports?|sources?|witness\w*|announce[sd]?|reuters|afp|bbc|cnn|ap)\b/,
  breaking: /\b(?:breaking|update|urgent|just in|developing|watch|live|exclusive|confirmed)\b/,
  swearing:
    /\b(?:fuck\w*|shit\w*|ass(?:hole)?|bitch\w*|cunt|damn|hell|wtf|stfu|idiots?|stupid|morons?|dumb|scum\w*|trash|pathetic|racist\w*|bigot\w*|disgusting|shame\w*|troll\w*|ignoran\w+)\b/,
  sympathy:
    /\b(?:rip|pray\w*|prayers?|thoughts|condolences|sad|sadly|heartbreaking|tragic|tragedy|horrible|terrible|awful|hope|god bless|omg|wow|scary|love|peace|hero\w*|thank\w*|sorry)\b/,
  laughing: /\b(?:lol|lmao|lmfao|rofl|ha(?:ha)+|hehe|funny|hilarious|joke)\b|[😂🤣]/u,
  contrast: /\b(?:but|however|although|though|instead|yet|still|unless|rather|because)\b/,
  speculation:
    /\b(?:speculat\w*|jump(?:ing)? to|conclusions?|facts|irresponsible|stop (?:spreading|lying|posting|it)|delete|careful|journalism|propagandist|agenda|false flag|conspiracy|cover ?up)\b/,
  you: /\b(?:you|your|you're|youre|ur|u|yours)\b/,
  me: /\b(?:i|i'm|i've|me|my|mine|i'd|i'll|we|our|us|im)\b/,
  they: /\b(?:they|them|their|they're)\b/,
  obligation: /\b(?:should|must|need to|have to|ought|shouldn't|let's|stop|please)\b/,
} satisfies Record<string, RegExp>

const NAMES = Object.keys(PATTERNS) as readonly (keyof typeof PATTERNS)[]

/** In the order of `cues`. */
export const CUE_NAMES: readonly string[] = [
  ...NAMES,
  'question',
  'ends_in_question',
  'questions',
  'exclamation',
  'exclamations',
  'ellipsis',
  'emoji',
  'quotation_mark',
  'capitals',
  'title_case',
  'length',
  'short',
  'empty',
  'numbers',
  'quotes',
  'full_stop',
]

const part = (count: number, of: number): number => (of === 0 ? 0 : count / of)
const yes = (is: boolean): number => (is ? 1 : 0)

/** Each from 0 to about 1. */
export function cues(said: SaidWords): number[] {
  const { own, words } = said
  const lower = own.toLowerCase()
  return [
    ...NAMES.map((name) => yes(PATTERNS[name].test(lower))),
    yes(own.includes('?')),
    yes(/\?[\s"'”)!.]*$/u.test(own)),
    Math.min(3, own.split('?').length - 1) / 3,
    yes(own.includes('!')),
    Math.min(3, own.split('!').length - 1) / 3,
    yes(/\.\.|…/u.test(own)),
    yes(/\p{Extended_Pictographic}/u.test(own)),
    yes(/["“”]/u.test(own)),
    ...shape(own),
    Math.min(1, Math.log1p(words.length) / Math.log(60)),
    yes(words.length <= 3),
    yes(words.length === 0),
    Math.min(3, said.numbers.size) / 3,
    yes(said.quotes),
    yes(/[.]\s*$/u.test(own)),
  ]
}

/** Share of words in capitals, share of words that begin with one. */
function shape(own: string): [capitals: number, titleCase: number] {
  const words = own.split(' ').filter((word) => /\p{L}{2}/u.test(word))
  return [
    part(words.filter((word) => word.length > 2 && word === word.toUpperCase()).length, words.length),
    part(words.filter((word) => /^\P{L}*\p{Lu}/u.test(word)).length, words.length),
  ]
}

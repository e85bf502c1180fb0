import type { Stance, StanceModel } from '../language/stance/stance.ts'

const DENY =
  /\b(?:fake|false|hoax|debunked|untrue|not true|isn'?t true|never happened|did ?n'?t happen|no evidence|no proof|lie|lies|lying|liar|liars|wrong|misleading|misinformation|disinformation|propaganda|bullshit|bs|nonsense|rumou?r|made up|fabricated|photoshopped|disagree|incorrect|inaccurate)\b/i
const SUPPORT =
  /\b(?:confirmed|confirms|verified|exactly|agree|agreed|true|indeed|correct|well said|so right|spot on|absolutely|this is right|proof is)\b/i
const QUERY =
  /\?\s*$|\?\s|\b(?:is (?:this|that|it) (?:true|real|confirmed)|any (?:source|proof|confirmation)|source\??$|really\?)/i
const NEGATED_SUPPORT = /\b(?:not|isn'?t|never|no)\s+(?:\w+\s+)?(?:confirmed|verified|true|agree|correct|right)\b/i


/** The stance a post takes by its words alone: a weak signal (F1 about 35 on RumourEval's denials). */
export const openStance = (): StanceModel => ({
  name: 'cues',
  stanceOf: ({ post }) => {
    const stance = stanceOf(post.text)
    const rest = { support: 0.1, deny: 0.1, query: 0.1, comment: 0.1 }
    return { stance, probabilities: { ...rest, [stance]: 0.7 } }
  },
})

function stanceOf(text: string): Stance {
  if (DENY.test(text) || NEGATED_SUPPORT.test(text)) return 'deny'
  if (QUERY.test(text)) return 'query'
  return SUPPORT.test(text) ? 'support' : 'comment'
}

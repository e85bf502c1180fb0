import type { Cues } from './cues.ts'

const NUMBER = String.raw`(?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)`
const LISTED = `things|takeaways|reasons|ways|questions|lessons|facts|myths|charts|moments|points|issues|explanations|winners|signs|keys?|answers|steps|times|mistakes|lies|problems|quotes|numbers|maps|highlights|stories`
const EVENT_VERBS = `says?|said|calls?|vows?|wins?|won|announces?|signs?|files?|orders?|rejects?|approves?|passes|fires?|resigns?|dies|kills?|killed|arrests?|arrested|charged|warns?|urges?|seeks?|plans?|set to|to|reports?|reportedly|sources?|officials|poll|denies|defends?|blasts?|slams?|accuses?|tells|told|backs?|names?|meets?|votes?|rules?|blocks?|drops?|faces|asks|launches|releases?|leads?|hits?|claims?|reveals?|agrees?|cancels?|ends?|joins?|nominates|picks|testif(?:y|ies)|admits|leaves|reaches|strikes?|weighs|rallies`
const VERDICTS = `should|must|needs? to|ought|can't|don't|stop|shouldn't|shame|myth|absurd|dangerous|wrong|lies?|hypocri(?:sy|te|tes|tical)|truth|real|actually|really|of course|sorry|no,|yes,|dear|mr\\.`

/** Labels and forms of a headline that was brought to lower case with straight apostrophes. */
const FORMS: Readonly<Record<string, RegExp>> = {
  label_opinion:
    /^(?:opinion|editorial|commentary|column|op-ed|comment|meinung|kommentar|opinión)\b\s*[:|]|[-|(:]\s?(?:opinion|editorial|comment|column|our view|opposing view)\)?$/u,
  label_analysis: /^(?:news )?analysis\s*[:|]|[-|(]\s?analysis\)?$/u,
  label_live: /\blive\b.{0,12}(?:updates?|coverage|blog)|^live\b|\bas it happened|live:/u,
  label_report: /^(?:report|poll|exclusive|breaking|study|sources?|sen|rep|police|video|watch)s?\b/u,
  form_explained:
    /fact[- ]check|explained|explainer|what (?:you need )?to know|everything you need|things (?:you|to know)|a guide|guide to|q&a|what we know|timeline|in \w+ (?:charts|maps|graphs)|quiz|here's (?:what|how|why|who)|^what (?:is|are)\b|^who (?:is|are)\b|questions,? answered|cheat sheet|by the numbers|annotated|\bfaq\b|^how to\b/u,
  form_list: new RegExp(String.raw`\b${NUMBER}(?: \w+){0,2} (?:${LISTED})\b`, 'u'),
  form_takeaways: /takeaways|to watch|winners and losers|what we learned|what .* means?\b|lessons/u,
  form_why: /^(?:why|how|what|when|where|who)\b|: (?:why|how|what)\b/u,
  form_yes_or_no: /^(?:is|are|do|does|did|can|could|will|would|should|was|has|have)\b/u,
  form_question: /\?["']?$|\? /u,
  says_event: new RegExp(String.raw`\b(?:${EVENT_VERBS})\b`, 'u'),
  says_verdict: new RegExp(String.raw`\b(?:${VERDICTS})(?!\w)`, 'u'),
}

/** A word or two before a colon, such as "Opinion:", which stands before the headline itself. */
const LABEL = /^[\p{L}\- ]{1,24}: /u
const QUOTED = /(?<!\p{L})["'][^"']{3,}["'](?!\p{L})/gu
const SHORT_WORDS = 6
/** More characters than a headline has. */
const MAX_CHARACTERS = 300

/** What the form of a headline says; nothing of none. */
export function headlineCues(title: string | null): Cues {
  const headline = (title ?? '').slice(0, MAX_CHARACTERS).trim().replace(/[‘’]/gu, "'").replace(/[“”]/gu, '"')
  const lower = headline.toLowerCase()
  const bare = lower.replace(LABEL, '')
  const forms = Object.entries(FORMS).map(([name, form]): [string, boolean] => [
    name,
    form.test(lower) || (name.startsWith('form_') && form.test(bare)),
  ])
  const unquoted = headline.replace(QUOTED, '').replace(/\bUS\b/gu, '')
  return {
    ...Object.fromEntries(forms),
    says_i_we_you: /\b(?:i|we|us|our|my|me|you|your|let's)\b/iu.test(unquoted),
    quotes: /["'][^"']{8,}["']/u.test(headline),
    is_short: headline !== '' && headline.split(/\s+/u).length <= SHORT_WORDS,
  }
}

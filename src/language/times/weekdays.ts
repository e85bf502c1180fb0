import { patternIn } from '../model-files.ts'
import { type CalendarDay, oneDay, weekdayOf } from './calendar.ts'
import { isAnnounced } from './nearest.ts'
import type { Match, Rule } from './rule.ts'
import { WEEKDAY, weekdayNumber } from './vocabulary.ts'

/** Names with a weekday in them: feasts, sales, papers, programmes. */
const NAME_BEFORE =
  /(?:\b(?:Black|Super|Good|Ash|Bloody|Cyber|Palm|Easter|Holy|Maundy|Fat|Shrove|Ruby|Giving|Freaky|Whit|Taco|Casual|Football|Mega|Spy|Silver|Low|Friday|Mail on|News|The|Happy) |["“‘]|[@#_/-])$/u
const NAME_AFTER = patternIn('times/name-after')

/** `on Tuesday`, `last Friday`, `next Monday morning`: of a past day unless the words announce it. */
const weekday: Rule = {
  pattern: `(?:(?:(?<which>[Ll]ast|[Nn]ext|[Tt]his(?: past| coming)?) ))?(?<day>${WEEKDAY})(?: (?:morning|afternoon|evening|night)s?(?![a-z]))?`,
  resolve: (match) => {
    if (NAME_AFTER.test(match.after) || (match.group('which') === '' && NAME_BEFORE.test(match.before)))
      return undefined
    if (match.published === null) return null
    return oneDay(dayMeant(match, match.published))
  },
}

/** Today's own name means today, but after "last" and "next". */
function dayMeant(match: Match, published: CalendarDay): CalendarDay {
  const behind = (weekdayOf(published) - weekdayNumber(match.group('day')) + 7) % 7
  const ahead = (7 - behind) % 7
  const which = match.group('which').toLowerCase()
  if (which === 'last' || which === 'this past') return published - (behind === 0 ? 7 : behind)
  if (which === 'next') return published + (ahead === 0 ? 7 : ahead)
  return which !== '' || isAnnounced(match) ? published + ahead : published - behind
}

export const WEEKDAYS: readonly Rule[] = [weekday]

import { now } from '../clock.ts'
import { link } from '../state/place.ts'
import { ago, counted, titled } from '../words/format.ts'
import type { StoryLineFacts } from './answers.ts'

interface StoryLineProperties {
  readonly id: string
  readonly story: StoryLineFacts
}

/** A story that matched, with a link to its page. */
export const StoryLine = ({ id, story }: StoryLineProperties) => (
  <li>
    <a href={link('stories', id)} data-item>
      {titled(story.title)}
    </a>
    <small>
      {[
        ...(story.source === null ? [] : [story.source]),
        counted(story.article_count, 'article'),
        `${story.origin_count} independent`,
        ...(story.lifecycle_state === null ? [] : [story.lifecycle_state]),
        ago(story.matched_at, now()),
      ].join(', ')}
    </small>
  </li>
)

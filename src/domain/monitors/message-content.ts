import type { MatchedStoryPayload } from '../../events/changes.ts'

/** What a message to a channel says, before it is written in the channel's format. All texts are single lines. */
export interface MessageContent {
  /** The name of the monitor, and the number of stories unless there is one. */
  readonly heading: string
  /** A sentence instead of stories; `null` if there are stories. */
  readonly note: string | null
  readonly stories: readonly StoryContent[]
  /** Stories that are not shown. */
  readonly more: number
}

export interface StoryContent {
  readonly title: string
  /** Of the article. `null` if it has none that may be linked. */
  readonly url: string | null
  /** `The Times: 3 independent sources, 5 articles, breaking, 5x the usual rate`. */
  readonly facts: string
  /** The story in the dashboard. */
  readonly storyUrl: string
}

/** Matches of one monitor that are sent together. */
export interface SentMatches {
  readonly monitor_name: string
  readonly stories: readonly MatchedStoryPayload[]
}

const MOST_STORIES = 10
const LONGEST_NAME = 100
const LONGEST_TITLE = 200
const LONGEST_SOURCE = 100
/** A longer URL is not linked, because the formats limit the size of a message. */
const LONGEST_URL = 1_000

/** The content of a message about matches. `storyUrl` returns the URL of a story in the dashboard. */
export function matchContent(
  { monitor_name, stories }: SentMatches,
  storyUrl: (clusterId: string) => string,
): MessageContent {
  const shown = stories.slice(0, MOST_STORIES).map((story) => storyContent(story, storyUrl))
  const count = stories.length === 1 ? '' : `: ${counted(stories.length, 'story', 'stories')}`
  return {
    heading: `${monitorName(monitor_name)}${count}`,
    note: null,
    stories: shown,
    more: stories.length - shown.length,
  }
}

/** The content of a message that its owner requested to try a channel. */
export const testContent = (name: string): MessageContent => ({
  heading: `${monitorName(name)}: test message`,
  note: 'This channel receives the stories that match the monitor.',
  stories: [],
  more: 0,
})

/** The same with fewer stories, for a format that limits the size of a message. */
export const withoutLastStory = (content: MessageContent): MessageContent => ({
  ...content,
  stories: content.stories.slice(0, -1),
  more: content.more + 1,
})

/** `and 3 more`; `null` if all stories are shown. */
export const moreText = ({ stories, more }: MessageContent): string | null => {
  if (more === 0) return null
  return stories.length === 0 ? counted(more, 'story', 'stories') : `and ${more.toLocaleString('en')} more`
}

const monitorName = (name: string): string => singleLine(name, LONGEST_NAME)

const storyContent = (story: MatchedStoryPayload, storyUrl: (clusterId: string) => string): StoryContent => ({
  title: singleLine(story.title ?? '', LONGEST_TITLE) || 'Story without a title',
  url: webUrl(story.url),
  facts: [singleLine(story.source ?? '', LONGEST_SOURCE), factsOf(story)].filter((text) => text !== '').join(': '),
  storyUrl: storyUrl(story.cluster_id),
})

const factsOf = (story: MatchedStoryPayload): string =>
  [
    counted(story.origin_count, 'independent source', 'independent sources'),
    counted(story.article_count, 'article', 'articles'),
    ...(story.lifecycle_state === null ? [] : [story.lifecycle_state]),
    ...(story.velocity > 0 ? [`${(Math.round(story.velocity * 10) / 10).toLocaleString('en')}x the usual rate`] : []),
  ].join(', ')

const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** Without line breaks and other control characters, at most `longest` characters. */
export function singleLine(text: string, longest: number): string {
  const characters = Array.from(text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim())
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`
}

/** Only http and https: other schemes of an article's URL must not become links. */
function webUrl(url: string | null): string | null {
  const parsed = url === null || !URL.canParse(url) ? null : new URL(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return null
  return parsed.href.length > LONGEST_URL ? null : parsed.href
}

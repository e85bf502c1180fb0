import { moreText, type MessageContent, type StoryContent } from './message-content.ts'

const LONGEST_HEADER = 150
const LONGEST_TEXT = 3_000

/**
 * The body for a Slack incoming webhook: blocks, and `text` for notifications. At most 12 of the 50 blocks that Slack
 * accepts; a text has at most 3,000 characters.
 */
export function slackMessage(content: MessageContent): string {
  const [first] = content.stories
  const more = moreText(content)
  return JSON.stringify({
    text: escaped([content.heading, content.note ?? first?.title ?? ''].join(': ')),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: content.heading.slice(0, LONGEST_HEADER), emoji: false } },
      ...(content.note === null ? [] : [section(escaped(content.note))]),
      ...content.stories.map((story) => section(storyText(story))),
      ...(more === null ? [] : [section(escaped(more))]),
    ],
  })
}

/** `verbatim`: Slack must not turn words of a title into mentions and links. */
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } })

/** Without the link to the article if the text would be too long with it. */
function storyText({ title, url, facts, storyUrl }: StoryContent): string {
  const after = `${escaped(facts)}\n${link(storyUrl, 'Open the story')}`
  const linked = url === null ? escaped(title) : link(url, title)
  const text = `*${linked}*\n${after}`
  return text.length <= LONGEST_TEXT ? text : `*${escaped(title)}*\n${after}`
}

const link = (url: string, text: string): string => `<${escaped(url.replaceAll('|', '%7C'))}|${escaped(text)}>`

/** The characters that mrkdwn reserves. */
const escaped = (text: string): string => text.replace(/[&<>]/g, (character) => ESCAPES[character] ?? character)

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

import { moreText, withoutLastStory, type MessageContent, type StoryContent } from './message-content.ts'

/** Teams refuses larger messages: 28 kB, bytes. */
const LARGEST_MESSAGE = 28_000

/**
 * The body for a workflow of Teams: an Adaptive Card, at most 28 kB. Texts are text runs, which Teams does not read as
 * Markdown, so nothing has to be escaped.
 */
export function teamsMessage(content: MessageContent): string {
  const message = JSON.stringify({
    type: 'message',
    attachments: [
      { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: adaptiveCard(content) },
    ],
  })
  const fits = Buffer.byteLength(message) <= LARGEST_MESSAGE || content.stories.length === 0
  return fits ? message : teamsMessage(withoutLastStory(content))
}

function adaptiveCard(content: MessageContent) {
  const more = moreText(content)
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      line([{ ...run(content.heading), weight: 'Bolder', size: 'Medium' }]),
      ...(content.note === null ? [] : [line([run(content.note)])]),
      ...content.stories.map(storyContainer),
      ...(more === null ? [] : [line([run(more)])]),
    ],
  }
}

const storyContainer = ({ title, url, facts, storyUrl }: StoryContent) => ({
  type: 'Container',
  separator: true,
  items: [
    line([{ ...(url === null ? run(title) : linkRun(title, url)), weight: 'Bolder' }]),
    line([{ ...run(facts), isSubtle: true }]),
    line([linkRun('Open the story', storyUrl)]),
  ],
})

const line = (inlines: readonly object[]) => ({ type: 'RichTextBlock', inlines })
const run = (text: string) => ({ type: 'TextRun', text })
const linkRun = (text: string, url: string) => ({ ...run(text), selectAction: { type: 'Action.OpenUrl', url } })

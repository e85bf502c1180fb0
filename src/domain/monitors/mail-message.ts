import { z } from 'zod'
import { moreText, singleLine, type MessageContent, type StoryContent } from './message-content.ts'

/** The payload of a delivery to an e-mail channel, as JSON. */
const MailMessage = z.object({
  /** Without line breaks. */
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  /** The URL that ends the messages to this address; `null` in a message that is no subscription. */
  list_unsubscribe: z.string().nullable(),
})
export type MailMessage = z.output<typeof MailMessage>

/** Throws if the payload is none of an e-mail. */
export const readMailMessage = (payload: string): MailMessage => MailMessage.parse(JSON.parse(payload))

const LONGEST_SUBJECT = 150

/** An e-mail as text and as simple HTML. `unsubscribe`: the URL that ends the messages to the address, if there is one. */
export function mailMessage(content: MessageContent, unsubscribe: string | null): string {
  const message: MailMessage = {
    subject: subjectOf(content),
    text: textOf(content, unsubscribe),
    html: htmlOf(content, unsubscribe),
    list_unsubscribe: unsubscribe,
  }
  return JSON.stringify(message)
}

/** The title of a single story, otherwise how many there are. */
function subjectOf({ heading, stories, more }: MessageContent): string {
  const [first] = stories
  const isOne = first !== undefined && stories.length + more === 1
  return singleLine(isOne ? `${heading}: ${first.title}` : heading, LONGEST_SUBJECT)
}

const WHY = 'You receive this message because a monitor of news stories sends its matches to this address.'

function textOf(content: MessageContent, unsubscribe: string | null): string {
  const parts = [
    content.heading,
    content.note,
    ...content.stories.map(({ title, url, facts, storyUrl }) =>
      [title, facts, ...(url === null ? [] : [url]), `Story: ${storyUrl}`].join('\n'),
    ),
    moreText(content),
    ...(unsubscribe === null ? [] : [`-- \n${WHY}\nUnsubscribe: ${unsubscribe}`]),
  ]
  return `${parts.filter((part) => part !== null).join('\n\n')}\n`
}

function htmlOf(content: MessageContent, unsubscribe: string | null): string {
  const more = moreText(content)
  const body = [
    `<h2>${escaped(content.heading)}</h2>`,
    ...(content.note === null ? [] : [`<p>${escaped(content.note)}</p>`]),
    ...content.stories.map(storyHtml),
    ...(more === null ? [] : [`<p>${escaped(more)}</p>`]),
    ...(unsubscribe === null ? [] : [`<hr><p><small>${WHY} ${link(unsubscribe, 'Unsubscribe')}</small></p>`]),
  ]
  return `<!doctype html><html><head><meta charset="utf-8"></head><body>\n${body.join('\n')}\n</body></html>\n`
}

const storyHtml = ({ title, url, facts, storyUrl }: StoryContent): string => {
  const linked = url === null ? escaped(title) : link(url, title)
  return `<p><b>${linked}</b><br>${escaped(facts)}<br>${link(storyUrl, 'Open the story')}</p>`
}

const link = (url: string, text: string): string => `<a href="${escaped(url)}">${escaped(text)}</a>`

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

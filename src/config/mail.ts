import { z } from 'zod'
import type { Meaning } from './platforms.ts'

/** Variables of e-mails to channels of monitors. */
export const mailVariables = {
  /** May contain a password, so it is shown nowhere. */
  SMTP_URL: z.url({ protocol: /^smtps?$/, message: 'expected smtp://host[:port] or smtps://host[:port]' }).optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n<>]*<?[^\s<>@]+@[^\s<>@]+>?$/, 'expected an address, or `Name <address>`')
    .optional(),
} as const

export const mailMeanings: Readonly<Record<keyof typeof mailVariables, Meaning>> = {
  SMTP_URL: {
    meaning:
      'Mail server for channels of monitors: `smtp://[user:password@]host[:port]`, or `smtps://` for TLS from the start. `?requireTLS=true` refuses a server without STARTTLS. E-mails are on if both `SMTP_URL` and `MAIL_FROM` are set.',
  },
  MAIL_FROM: { meaning: 'Sender of e-mails: an address, or `Name <address>`.' },
}

export interface MailSettings {
  readonly url: string
  readonly from: string
}

/** `null` unless both variables are set. */
export const mailSettings = ({
  SMTP_URL: url,
  MAIL_FROM: from,
}: z.output<z.ZodObject<typeof mailVariables>>): MailSettings | null =>
  url === undefined || from === undefined ? null : { url, from }

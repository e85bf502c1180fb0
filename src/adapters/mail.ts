import { createTransport } from 'nodemailer'
import type { Mail, MailAnswer, OutgoingMail } from '../ports/mail.ts'

export interface MailServerOptions {
  /** `smtp://…` (STARTTLS if the server has it) or `smtps://…`. May contain a user and a password. */
  readonly url: string
  /** The sender: an address, or `Name <address>`. */
  readonly from: string
}

const CONNECT_MS = 10_000
/** Timeout of each step of a session. */
const SILENCE_MS = 30_000
/** Less than most servers wait, so that the connection is not closed while it is used. */
const IDLE_MS = 20_000
const CONNECTIONS = 4

/** A mail server behind a pool of connections. Closes idle connections by itself. */
export function mailServer({ url, from }: MailServerOptions): Mail {
  const transport = createTransport({
    ...{ url, pool: true, maxConnections: CONNECTIONS, idleTimeout: IDLE_MS },
    ...{
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      dnsTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
    },
    maxRequeues: 1,
    // messages contain no attachments, and external input must not add one
    ...{ disableFileAccess: true, disableUrlAccess: true },
  })
  const domain = /@([^\s<>@]+)/.exec(from)?.[1] ?? 'localhost'
  return {
    send: async (mail, signal) => {
      try {
        const { response } = await transport.sendMail({ ...messageOf(mail, { from, domain }), signal })
        return { status: replyCode(response), isRecipientRefused: false }
      } catch (cause) {
        if (signal.aborted) throw cause
        return answerOf(cause)
      }
    },
  }
}

/** RFC 8058: with `List-Unsubscribe-Post`, mail programs unsubscribe by a POST without opening a page. */
function messageOf(
  { id, to, subject, text, html, unsubscribe }: OutgoingMail,
  { from, domain }: { readonly from: string; readonly domain: string },
) {
  return {
    from,
    // an object, so that it is one address whatever it contains; the envelope follows from `from` and `to`
    to: { name: '', address: to },
    messageId: `<${id}@${domain}>`,
    ...{ subject, text, html },
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe === null
        ? {}
        : {
            'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` },
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
    },
  }
}

/** The fields of nodemailer's errors. */
interface SmtpError {
  readonly code?: unknown
  /** Of the system, where nodemailer replaced it by its own code. */
  readonly originalCode?: unknown
  readonly command?: unknown
  readonly responseCode?: unknown
  readonly response?: unknown
}

/** The reply of the server. Throws if there is none, or if it refuses our credentials. */
function answerOf(cause: unknown): MailAnswer {
  const { code, command, responseCode, response }: SmtpError = Object(cause) as SmtpError
  if (typeof responseCode !== 'number' || code === 'EAUTH') throw withSystemCode(cause)
  return {
    status: responseCode,
    isRecipientRefused: command === 'RCPT TO' && responseCode >= 500 && !POLICY.test(String(response)),
  }
}

/** Enhanced status codes 5.7.x (RFC 3463): the server refuses us, for example relaying, not the recipient. */
const POLICY = /^\d{3}[ -]5\.7\./

const replyCode = (response: string): number => Number.parseInt(response, 10) || 250

/** The meaning of nodemailer's codes in those of the system, by which callers know the reason. */
const SYSTEM_CODES: Readonly<Record<string, string>> = {
  EDNS: 'ENOTFOUND',
  ETLS: 'EPROTO',
  ECONNECTION: 'ECONNRESET',
  EPROTOCOL: 'ECONNRESET',
  ESOCKET: 'ECONNRESET',
}

function withSystemCode(cause: unknown): Error {
  const { code, originalCode }: SmtpError = Object(cause) as SmtpError
  const known = typeof originalCode === 'string' ? originalCode : SYSTEM_CODES[String(code)]
  return Object.assign(new Error('the mail server gave no reply', { cause }), { code: known ?? code })
}

/** An e-mail to one address. */
export interface OutgoingMail {
  /** The local part of its `Message-ID`: the same for each attempt to send it. */
  readonly id: string
  readonly to: string
  /** Without line breaks. */
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The URL of `List-Unsubscribe` (RFC 8058); `null` for no such header. */
  readonly unsubscribe: string | null
}

export interface MailAnswer {
  /** The reply code of the mail server. */
  readonly status: number
  /** Whether the server permanently refuses the recipient. */
  readonly isRecipientRefused: boolean
}

/** A mail server. */
export interface Mail {
  /** Resolves for any reply. Throws an error with a `code` or name if there is none, and if the signal aborts. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<MailAnswer>
}

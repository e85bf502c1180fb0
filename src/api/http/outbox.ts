import type { ServerResponse } from 'node:http'

interface QueuedResponse {
  readonly response: ServerResponse
  readonly body: Uint8Array | null
}

/**
 * Answers of one turn of the event loop, sent at its end one behind the other: who reads many of them (most often a proxy)
 * is woken once and not for each, which costs as much as all else about a small answer.
 */
export class Outbox {
  private due: QueuedResponse[] = []

  send(response: ServerResponse, body: Uint8Array | null): void {
    if (this.due.push({ response, body }) === 1) setImmediate(this.flush)
  }

  private readonly flush = (): void => {
    const due = this.due
    this.due = []
    for (const { response, body } of due) response.end(body)
  }
}

/** Event time: the publication, at most the arrival; the arrival where there is no date. */
export const occurredAt = (published: number | null, loggedAt: number): number =>
  published === null ? loggedAt : Math.min(published, loggedAt)

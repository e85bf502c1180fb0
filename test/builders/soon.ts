/** For `vi.waitFor`, whose own second is short on a busy machine: who waits in vain has failed anyway. */
export const soon = { timeout: 15_000 }

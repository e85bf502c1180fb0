import type { Example } from '../example.ts'

export const getLiveness: Example = { answer: { status: 'alive' } }

export const getReadiness: Example = { answer: { status: 'ready' } }

export const getHealth: Example = { answer: { status: 'ok', version: '0.1.0', reasons: [] } }

export const getEchoHealth: Example = {
  answer: {
    status: 'ok',
    platforms: {
      reddit: { status: 'live', last_success_at: '2026-11-22T07:47:12.588Z' },
      bluesky: { status: 'live', last_success_at: '2026-11-22T07:47:12.588Z' },
      twitter: { status: 'live', last_success_at: '2026-11-22T07:47:12.588Z' },
    },
  },
}

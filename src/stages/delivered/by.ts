export const BY = { stage: 'delivered', version: '1' } as const

/** Sentence vectors and sentiment are made for the first this many sentences. */
export const ENCODED_SENTENCES = 32

/** Steps of 1/32767, little-endian int16[384]. */
const STEPS = [
  'EgHwAMkDNf/PBBMAsQES/W3+gv1N/jcGzAAr/rb91wPY/8v+Bv0DBFz9/QJ1AegA3ADVAWX+yf3t+zn/5QQX/hf92QHtAUj/JQGYAscEJv84At',
  'L5Sf9LAx79iQB3ACoB9wFc/vP8/gGdANT+9wEWANsA1QCPAFADygJS/V8C7QE2AGQC1f4n/Iv+HQIxBGoE2wBW/o8Cvf4YBAYGwgZ5/pkDI/+1',
  '/8P9Mv2L/oz80vu1AHcBUP1I/IEBYf/k+icA7fxyAPT5VAPg/BoDRP5G++7+3vz2/m//sPyVAgMDqv9+AJX9aAJp/6cBPP5n/Z7+kAHUAdn7fA',
  'Kd/8f65/sAANQCY/6Y/2D/7wBzBJ3+9fkxAOsAO/xTAi8A+gF4+8X9NvwzAxj9e/+zBDcBWwHaAqECpv1EAtMC4/5ZAAv4KQGdAlcDlAGN/+X+',
  '/f/n/vz+Yf5bBhr/7gKdAKz/igFPAAwA6v1pAQQCJgI//yX9O/wv/Qb+AgRA//v/gQJp+SMC3PoN/hj7NwDh/Z8DaATS/wD94/4g+rH+vQGq/w',
  'gGvP2WAQD88gmP/nD9/QKb/wP+gwGiAqT4fAJhAucAc/4AAHz6hP5EAaoCoQGO/y7/Jf+3Akz+cv1t/88BJwO+APL8Dgf9/Cn9bf9BArQGCfpI',
  'BMj7D/1yBQP9Uf7o/R/8kv7c/icEPgO4Ap0AGf0+/pj+kwcx/yD9JABh/WAEvfuwAm39mP/I+dUAjfyZBIr91/9n/jH/jAOMARH+av7s/+X5EA',
  'Lb/vL9dP41BGACUwAn+or6Zf6lAlUEMftdAND+4wY4BVT6j/7W/GsExgTC//389v2HBF3+LvvC/IMAtf0AAAkD6P3P/rIAuv8hANT9pfwrAaoA',
  'kQUY/7H7jf2E//QAWP7m//D9PgDS/IL/jfsYBL0CtwGT/c8ECQH6Aa78pv4H+d3/M/+kAQP+RAGgBcUBuv1zAR8DwgCv+bD8Tv0HAU4DuQAV/N',
  'r9g/+UACIFAAF4Anf9ZPw4/mQBrfz8AdcB',
]

/** float64[384]: mean of the lead vectors of news, which `models/clustering/mean-vector.json` has in full. */
export const MEAN_LEAD: Float64Array = meanOf(Buffer.from(STEPS.join(''), 'base64'))

function meanOf(bytes: Buffer): Float64Array {
  return Float64Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readInt16LE(2 * i) / 32_767)
}

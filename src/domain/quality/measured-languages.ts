/**
 * Languages (ISO 639-1) in which a labelled set measured each task. In all others the service works by transfer: the
 * models have learned the task in these languages and read the others in the same vectors.
 */
export const MEASURED_LANGUAGES = {
  entities: ['da', 'de', 'en', 'fi', 'hr', 'pt', 'sk', 'sr', 'sv', 'zh'],
  sentiment: ['de', 'en', 'ru'],
  stories: 'ar cs de el en es fi fr he hi hu id it ja ko nl pl pt ro ru sv tr uk vi zh'.split(' '),
}

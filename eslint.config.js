import tseslint from 'typescript-eslint'

const houseBans = [
  {
    selector: "MemberExpression[object.name='process'][property.name='env']",
    message: 'Only config.ts reads the environment: take a value from the configuration.',
  },
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message: 'No decision reads the clock: take the time from the event, or from the clock port.',
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'No decision reads the clock: take the time from the event, or from the clock port.',
  },
]

export default tseslint.config(
  { ignores: ['dist', 'node_modules', '.story', '**/*.cjs', '**/*.js', 'sdk/src/api.ts', 'sdk/dist'] },
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      '@typescript-eslint/consistent-type-definitions': 'off',
      'no-console': 'error',
      'no-empty': 'error',
      'no-restricted-syntax': ['error', ...houseBans],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}', 'sdk/src/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 3],
      complexity: ['error', 8],
    },
  },
  { files: ['src/config/config.ts'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['src/main.ts', 'src/adapters/clock.ts', 'src/dashboard/clock.ts', 'test/**/*.ts', 'models/**/*.ts'],
    rules: { 'no-restricted-syntax': 'off', 'no-console': 'off' },
  },
)

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'packages/**/*.test.ts',
      'apps/**/*.test.ts',
      'evaluation/**/*.test.ts',
      'e2e/**/*.test.ts',
      'scripts/**/*.test.ts'
    ],
    // Models and engines load for real; a cold machine needs more than the default five seconds.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2
  }
})

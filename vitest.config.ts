import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Models and engines load for real; a cold machine needs more than the default five seconds.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // As bin/oncall starts Node, and for its reason: threads that load TypeScript at the same time can crash V8.
    execArgv: ['--wasm-wrapper-tiering-budget=2147483647'],
    maxWorkers: 2,
    projects: [
      'apps/frontend/vitest.config.ts',
      {
        extends: true,
        test: {
          name: 'node',
          include: [
            'packages/**/*.test.ts',
            'apps/**/*.test.ts',
            'evaluation/**/*.test.ts',
            'e2e/**/*.test.ts',
            'scripts/**/*.test.ts'
          ],
          // The page's tests are compiled by its own configuration.
          exclude: [...configDefaults.exclude, 'apps/frontend/**']
        }
      }
    ]
  }
})

import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'

/** Tests of the page: components are compiled as in the build, and mounted in a document without a browser. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [vue()],
  test: {
    name: 'frontend',
    include: ['src/**/*.test.ts', 'dev/**/*.test.ts'],
    environment: 'happy-dom',
    // Milliseconds: two hundred rows take seconds in a document without a browser, on a busy machine more.
    testTimeout: 60_000
  }
})

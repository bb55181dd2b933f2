import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

/** Where `npm run dev:api` or a real server listens while the page is developed. */
const API = 'http://127.0.0.1:8123'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [vue()],
  define: {
    __VUE_OPTIONS_API__: false,
    __VUE_I18N_FULL_INSTALL__: false,
    __VUE_I18N_LEGACY_API__: false
  },
  // Chunks above the limit of the warning are zod and Vue, which every room needs.
  build: {
    outDir: 'dist',
    target: 'es2022',
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      output: {
        // Zod's settings go with zod: in a chunk that came after the schemas they would be too late.
        codeSplitting: { groups: [{ name: 'zod', test: /node_modules[\\/]zod[\\/]|schema-settings/ }] }
      }
    }
  },
  server: { proxy: { '/api': API, '/ready': API, '/health': API } }
})

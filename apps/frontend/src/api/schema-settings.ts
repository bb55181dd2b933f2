import { z } from 'zod'

// The page's policy forbids making code from text. Zod would only try it, and each try is reported as a breach.
z.config({ jitless: true })

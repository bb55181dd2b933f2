import type { TextsLike } from '../texts-like.ts'
import type { en } from '../en/index.ts'
import { audit } from './audit.ts'
import { chat } from './chat.ts'
import { common } from './common.ts'
import { document, task } from './document.ts'
import { knowledge, reader, upload } from './knowledge.ts'
import { lab } from './lab.ts'
import { models } from './models.ts'
import { prompts } from './prompts.ts'
import { search } from './search.ts'
import { servers } from './servers.ts'
import { session } from './session.ts'
import { settings } from './settings.ts'
import { system } from './system.ts'

export const zh: TextsLike<typeof en> = {
  audit,
  chat,
  common,
  document,
  knowledge,
  lab,
  models,
  prompts,
  reader,
  search,
  servers,
  session,
  settings,
  system,
  task,
  upload
}

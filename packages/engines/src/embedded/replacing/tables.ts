/**
 * Everything that an index consists of, parents first. Names of tables can not be bound, so this list is the only source of
 * them.
 */
export const TABLES = [
  'state',
  'knowledge_base',
  'document',
  'chunk',
  'vector',
  'token_vectors',
  'entry_space',
  'entry',
  'entry_text',
  'entry_vector',
  'entry_value',
  'page',
  'run',
  'posting',
  'quantised'
] as const

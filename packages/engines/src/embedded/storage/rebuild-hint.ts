/**
 * What helps when the file itself is of no use any more. Uploads are kept beside it and are read again; of folders only
 * the folders themselves know.
 */
export const REBUILD_HINT =
  'delete `index.db`, `index.db-wal` and `index.db-shm` in the data folder (or use another --data folder) and run ' +
  '`oncall index` again for folders, and `oncall reindex` for what was uploaded.'

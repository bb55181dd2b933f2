/** What helps when the file itself is of no use any more; the documents' own files are all that a new index needs. */
export const REBUILD_HINT =
  'delete `index.db`, `index.db-wal` and `index.db-shm` in the data folder (or use another --data folder) and run ' +
  '`oncall index` again.'

/** Marks the file as a knowledge index ("OCKI"), kept as SQLite's `application_id`. */
export const APPLICATION_ID = 0x4f434b49

/**
 * Rows of 4 KiB pages: postings of 5 KB and vectors of 3.5 KB waste the least there (8 KiB took a fifth more).
 * Blobs stand last in their rows, so that reading the small columns does not touch them.
 */
export const PAGE_BYTES = 4096

const CHUNKS = `
CREATE TABLE state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  revision INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  model TEXT NOT NULL,
  dimension INTEGER NOT NULL,
  normalised INTEGER NOT NULL,
  embedder_tokenizer TEXT NOT NULL,
  lexical_tokenizer TEXT NOT NULL
);
CREATE TABLE knowledge_base (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL,
  knowledge_base_id TEXT NOT NULL,
  chunks INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  next_slot INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  UNIQUE (tenant_id, knowledge_base_id)
);
CREATE TABLE document (
  id INTEGER PRIMARY KEY,
  kb INTEGER NOT NULL REFERENCES knowledge_base (id),
  document_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  chunks INTEGER NOT NULL,
  owner_user_id TEXT NOT NULL,
  title TEXT NOT NULL,
  source TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  metadata TEXT NOT NULL,
  UNIQUE (document_id, kb)
);
CREATE INDEX document_of_kb ON document (kb);
CREATE TABLE chunk (
  key INTEGER PRIMARY KEY,
  start INTEGER NOT NULL,
  end INTEGER NOT NULL,
  token_count INTEGER NOT NULL,
  heading_path TEXT NOT NULL,
  metadata TEXT NOT NULL,
  content TEXT NOT NULL
);
CREATE TABLE vector (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE token_vectors (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE page (
  key INTEGER PRIMARY KEY,
  generation INTEGER NOT NULL,
  used INTEGER NOT NULL,
  dead INTEGER NOT NULL,
  work INTEGER NOT NULL,
  slots BLOB NOT NULL
);
CREATE INDEX page_with_work ON page (work) WHERE work > 0;
CREATE TABLE run (key INTEGER PRIMARY KEY, slots INTEGER NOT NULL, fine INTEGER NOT NULL);
CREATE TABLE posting (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE quantised (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
`

/**
 * Entries of structured search. Their slots, postings and int8 rows are in the tables of the chunks, under numbers of
 * their own (`entry_space`). Text and vector have tables of their own, so that ranking reads neither.
 */
const ENTRIES = `
ALTER TABLE state ADD COLUMN entries_filled INTEGER NOT NULL DEFAULT 1;
UPDATE state SET entries_filled = NOT EXISTS (SELECT 1 FROM document);
CREATE TABLE entry_space (
  id INTEGER PRIMARY KEY,
  kb INTEGER NOT NULL UNIQUE REFERENCES knowledge_base (id),
  entries INTEGER NOT NULL,
  body_tokens INTEGER NOT NULL,
  next_slot INTEGER NOT NULL,
  generation INTEGER NOT NULL
);
CREATE TABLE entry (
  id INTEGER PRIMARY KEY,
  kb INTEGER NOT NULL REFERENCES knowledge_base (id),
  document_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  knowledge_type TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  UNIQUE (document_id, kb)
);
CREATE INDEX entry_in_corpus_order ON entry (kb, created_at, document_id);
CREATE TABLE entry_text (
  id INTEGER PRIMARY KEY,
  attributes TEXT NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL
);
CREATE TABLE entry_vector (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE entry_value (id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE);
`

/**
 * What each format adds to the one before it: a new file runs them all, an older file those that it lacks. A file whose
 * documents were written before there were entries is marked as not filled; `entries_filled` stands last in its table in
 * a new file as well.
 */
export const FORMATS: readonly string[] = [CHUNKS, ENTRIES]

/** Format of the file, kept as SQLite's `user_version`. A newer one is refused. */
export const FORMAT_VERSION = FORMATS.length

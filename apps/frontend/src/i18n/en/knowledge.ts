export const knowledge = {
  title: 'Knowledge',
  lead: 'Runbooks and notes that answers are drawn from.',
  base: 'Knowledge base',
  create: 'New knowledge base',
  none: 'There is no knowledge base yet. Create one, then drop your runbooks into it.',
  pages: 'Pages of knowledge bases',
  documents: '{count} document | {count} documents',
  changed: 'Changed',
  folder: 'Folder',
  folderHint: 'Filled from a folder of the server by “oncall index”; it can be read here, not changed.',
  shared: 'Shared with you',
  sharedHint: 'Shared by its owner; you can read and search it, not change it.',
  own: 'Yours',
  name: 'Name',
  description: 'Description (optional)',
  nameTaken: 'You have a knowledge base of this name already.',
  rename: 'Rename',
  saved: 'Saved.',
  deleteTitle: 'Delete “{name}”?',
  deleteText:
    'Its {count} document is deleted with it, and nothing of it can be found any more. This cannot be undone. | Its {count} documents are deleted with it, and nothing of them can be found any more. This cannot be undone.',
  deleted: '“{name}” was deleted.',
  parts: 'Parts of the knowledge base',
  tabs: { documents: 'Documents', tasks: 'Task history', readers: 'Readers' }
}

export const reader = {
  lead: 'People who may read and search this knowledge base. They cannot change it.',
  username: 'User name',
  add: 'Let them read',
  added: '{name} can read it now.',
  removed: '{name} cannot read it any more.',
  unknown: 'There is nobody of this name.',
  none: 'Shared with nobody.',
  since: 'since',
  remove: 'Remove',
  removeNamed: 'Remove {name}',
  pages: 'Pages of readers'
}

export const upload = {
  title: 'Add documents',
  drop: 'Drop files or folders here',
  chooseFiles: 'Choose files',
  chooseFolder: 'Choose a folder',
  formats: 'Markdown, plain text, PDF, HTML, DOCX',
  indexAtOnce: 'Index at once, so that it can be found',
  attributes: 'Attributes for all files added now',
  attributesHint: 'What is filled in wins over the front matter of a document. Separate error codes by commas.',
  detect: 'Also take error codes named in the text',
  nothing: 'There was no file in what was chosen.',
  unreadable: 'The browser could not read what was dropped. Nothing was sent.',
  added: '{count} file added | {count} files added',
  summary: '{taken} taken, {refused} refused, {open} to go',
  clear: 'Clear the list',
  more: 'and {count} more file | and {count} more files',
  states: { waiting: 'Waiting', sending: 'Sending', taken: 'Taken', refused: 'Refused' },
  progressOf: 'Upload of {name}',
  duplicate: 'The same content is already in this knowledge base.',
  openExisting: 'Open that document',
  reasons: {
    empty: 'The file is empty.',
    wrongExtension: 'The content is not what the file name says. Rename it, or save it in that format.',
    encrypted: 'The file is password-protected. Remove the password and upload it again.'
  }
}

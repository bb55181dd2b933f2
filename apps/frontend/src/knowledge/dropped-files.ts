/** Files of what was dropped; folders are walked. Hidden files (".git", ".DS_Store") are no documents. */
export async function droppedFiles(items: Iterable<DataTransferItem>): Promise<File[]> {
  // The list is emptied when the event has been handled, so all entries are taken before anything is awaited.
  const entries = [...items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => item.webkitGetAsEntry() ?? item.getAsFile())
  const found = await Promise.all(entries.map((entry) => (entry instanceof File ? [entry] : filesBelow(entry))))
  return found.flat()
}

async function filesBelow(entry: FileSystemEntry | null): Promise<File[]> {
  if (entry === null || entry.name.startsWith('.')) return []
  if (entry.isFile) return [await fileOf(entry as FileSystemFileEntry)]
  const children = await childrenOf(entry as FileSystemDirectoryEntry)
  return (await Promise.all(children.map(filesBelow))).flat()
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

/** Browsers hand a folder out in parts (of 100): read on until one is empty. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (part.length === 0) return all
    all.push(...part)
  }
}

/** Of files chosen through a folder input: those that are not hidden and not below something hidden. */
export function withoutHidden(files: readonly File[]): File[] {
  return files.filter(({ name, webkitRelativePath }) =>
    (webkitRelativePath || name).split('/').every((part) => !part.startsWith('.'))
  )
}

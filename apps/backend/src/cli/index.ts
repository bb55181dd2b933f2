export type {
  Application,
  AskCommand,
  AskWatch,
  DoctorReport,
  DoctorRequest,
  IndexRequest,
  IndexWatch,
  RebuildReport,
  ReindexRequest,
  ReindexWatch,
  RetrieveRequest,
  SearchCommand,
  TuneCommandReport,
  TuneRequest,
  TuneWatch,
  UserRequest
} from './application.ts'
export { type OpenApplication, type OpenOptions, runCommandLine } from './program.ts'
export { EXIT, reportError } from './report-error.ts'
export { type Column, renderTable } from './table.ts'
export { processTerminal, type Terminal } from './terminal.ts'

export type {
  Application,
  DoctorCheck,
  DoctorReport,
  IndexRequest,
  IndexWatch,
  RetrieveRequest
} from './application.ts'
export { type OpenApplication, type OpenOptions, runCommandLine } from './program.ts'

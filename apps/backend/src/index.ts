/** What evaluation and e2e drive; nobody else imports the backend. */
export {
  type EvidenceLimits,
  type EvidenceParts,
  type Ranking,
  rankCandidates,
  retrieveEvidence,
  StageLog
} from './search/index.ts'

import { describeDialogues } from './test-support/describe-dialogues.ts'

describeDialogues('en')

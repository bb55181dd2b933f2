import { describeDialogues } from './describe-dialogues.ts'

describeDialogues('en')

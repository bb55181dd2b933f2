import { describeLooks } from './test-support/describe-looks.ts'

describeLooks('en')

/** All of this folder that loads the SDK, behind one import that happens with the first connection. */
export { openConnection } from './open-connection.ts'
export { isSessionOver, serverFailure } from './server-failure.ts'
export { SilentServer } from './silent-server.ts'
export { refusedArguments, toolAnswer } from './tool-answer.ts'

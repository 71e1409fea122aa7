/**
 * Something the operator has to put right before the program can run: a wrong setting, a folder in use, a database too new.
 * The message is one line that says what and how; no stack is shown for it.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Exit code of a start stopped by a StartError, told apart from a crash (1). */
export const START_ERROR_EXIT_CODE = 2;

/** Prints a StartError as its one line and ends the process; anything else is thrown on. */
export function exitOnStartError(error: unknown): never {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`runsheet: ${error.message.replaceAll(/\s*\n\s*/g, ' ')}\n`);
  process.exit(START_ERROR_EXIT_CODE);
}

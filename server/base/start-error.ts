/**
 * A problem that an operator must fix before the program can run: a wrong setting, a folder in use, a database that is
 * too new. The message is a single line with the problem and its fix; no stack is shown.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Exit code of a start that a StartError stopped, distinct from a crash (1). */
const START_ERROR_EXIT_CODE = 2;

/** Prints a StartError as a single line and ends the process; rethrows anything else. */
export function exitOnStartError(error: unknown): never {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`runsheet: ${error.message.replaceAll(/\s*\n\s*/g, ' ')}\n`);
  process.exit(START_ERROR_EXIT_CODE);
}

/** Exit codes of the command, which scripts read from `$?`. */
export const ExitCode = {
  Succeeded: 0,
  /** A run ended without success: Failed, Cancelled and the like; or a check found damage. */
  RunFailed: 1,
  /**
   * The command line, a value in it, a setting or the state of the machine is wrong: the message says how to fix it.
   */
  WrongUse: 2,
  /** The portal refused, or could not be reached. */
  Refused: 3,
  /** The run continues; the command stopped waiting. */
  StillRunning: 4,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** Ends the command with a message for the person. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = ExitCode.WrongUse) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** How the command ends: what a script asks by `$?`. */
export const ExitCode = {
  Succeeded: 0,
  /** A run ended otherwise than well: Failed, Cancelled and the like; or a check found damage. */
  RunFailed: 1,
  /** The command line, a value in it or a setting is wrong, or the machine is not as the command needs it: the message says what to put right. */
  WrongUse: 2,
  /** The portal refused, or was not reached. */
  Refused: 3,
  /** The run goes on; the command does not wait any longer. */
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

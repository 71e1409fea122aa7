/**
 * Status codes of the log lines of runs. Codes below 10000 are causes that a user can act on (specification, section
 * 8).
 */
export const LogCode = {
  Information: 0,
  /** What a step did. Shown to users who may see the activity, not to visitors. */
  StepDone: 10,
  InputRefused: 1000,
  /** A number in a Text input that a formula uses in a calculation. */
  NumberInText: 1001,
  ImportRefused: 1100,
  CheckFailed: 1200,
  CheckWarned: 1201,
  AuthorsWarning: 1202,
  QueryRefused: 1210,
  WriteRefused: 1220,
  PromptExpired: 1230,
  /** Concerns a mail, a file or a database of a step. */
  StepRefused: 1240,
  ErrorInOutput: 1300,
  TooLong: 1400,
  TooLarge: 1401,
  /** The workbook is configured incorrectly. */
  Setup: 1500,
  /** The engine with which the version was checked is unavailable. */
  EngineMissing: 1510,
  /** A message from a stored procedure. */
  ProcedureSaid: 1600,
  ProcedureFailed: 1610,
  ReturnCode: 1620,
  /** A result set was stored as a file, or some of its values as texts. */
  ResultKept: 1630,
  /** The procedure has changed since the version was created. */
  ProcedureChanged: 1640,
  /** Consequence of the preceding lines. */
  Consequence: 10_000,
} as const;

/** Log categories: specification of activities, section 8. */
export const Category = { Information: 1, Warning: 2, Error: 3 } as const;

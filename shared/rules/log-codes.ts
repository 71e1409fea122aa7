/** Status codes of the log lines of runs. Under 10000: causes a user can act on (specification, section 8). */
export const LogCode = {
  Information: 0,
  /** What a step did: for those who may see the activity, not for visitors. */
  StepDone: 10,
  InputRefused: 1000,
  /** A number in an input of texts, with which a formula calculates. */
  NumberInText: 1001,
  ImportRefused: 1100,
  CheckFailed: 1200,
  CheckWarned: 1201,
  AuthorsWarning: 1202,
  QueryRefused: 1210,
  WriteRefused: 1220,
  PromptExpired: 1230,
  /** A mail, a file or a database of a step. */
  StepRefused: 1240,
  ErrorInOutput: 1300,
  TooLong: 1400,
  TooLarge: 1401,
  /** The workbook is set up wrongly. */
  Setup: 1500,
  /** The engine the version was checked with is not there. */
  EngineMissing: 1510,
  /** What a stored procedure said while it ran. */
  ProcedureSaid: 1600,
  ProcedureFailed: 1610,
  ReturnCode: 1620,
  /** Of a result set: that it came as a file, or values as texts. */
  ResultKept: 1630,
  /** The procedure is no longer what the version was made of. */
  ProcedureChanged: 1640,
  /** What the lines before it led to. */
  Consequence: 10_000,
} as const;

/** Log categories: specification of activities, section 8. */
export const Category = { Information: 1, Warning: 2, Error: 3 } as const;

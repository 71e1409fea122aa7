/** Messages by field, in the format of the specification's 400 responses: {"ModelState": {"Name": ["…"]}}. */
export type ModelState = Record<string, string[]>;

/**
 * Returns an empty object for messages by input name. It inherits nothing, so that the message of an input named
 * '__proto__' is kept.
 */
export const createModelState = (): ModelState => Object.create(null) as ModelState;

export interface AppErrorDetails {
  modelState?: ModelState;
  /**
   * Further fields of the response next to the message: for an upload (Faults, Unsupported), a form, or a start (code,
   * ActivityVersion).
   */
  answer?: Record<string, unknown>;
  /**
   * Why a call was refused, for the log at level debug. Never part of the response, which says the same about every
   * missing right. Must not contain secrets.
   */
  logged?: Record<string, unknown>;
  cause?: unknown;
}

/**
 * An error response that the program returns intentionally: services throw it, and one place maps it to HTTP. `code` is
 * for programs and stays stable; `message` is the text for people.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: string;
  readonly status: number;
  readonly modelState: ModelState | undefined;
  readonly answer: Record<string, unknown> | undefined;
  readonly logged: Record<string, unknown> | undefined;

  constructor(code: string, status: number, message: string, details: AppErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.status = status;
    this.modelState = details.modelState;
    this.answer = details.answer;
    this.logged = details.logged;
  }
}

/** Messages by field, as the specification's 400 answers carry them: {"ModelState": {"Name": ["…"]}}. */
export type ModelState = Record<string, string[]>;

export interface AppErrorDetails {
  modelState?: ModelState;
  /** Further fields of the answer beside its message: of an upload (Faults, Unsupported), of a form, of a start (code, ActivityVersion). */
  answer?: Record<string, unknown>;
  cause?: unknown;
}

/**
 * An answer that the program means to give: thrown by services, mapped to HTTP in one place.
 * `code` is for programs and stays stable, `message` is the text a person reads.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: string;
  readonly status: number;
  readonly modelState: ModelState | undefined;
  readonly answer: Record<string, unknown> | undefined;

  constructor(code: string, status: number, message: string, details: AppErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.status = status;
    this.modelState = details.modelState;
    this.answer = details.answer;
  }
}

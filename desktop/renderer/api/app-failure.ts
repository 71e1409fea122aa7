import { readFailure } from '#shared/client/request.ts';
import type { OtherEdit } from '#shared/contract/endpoint.ts';

export const NO_PERMISSION = 'You do not have permissions for this operation';

/** Message for a response that contains none. */
export const UNREADABLE = 'Unexpected error';

/** A call was refused or failed; `message` is shown to the user. */
export class AppFailure extends Error {
  override readonly name = 'AppFailure';
  /** HTTP status; 0 if no response arrived. */
  readonly status: number;
  /** Messages by field name; '' for the call as a whole. */
  readonly modelState: Record<string, string[]>;
  /** The unchanged response, for calls whose failures contain more (upload problems). */
  readonly answer: unknown;

  constructor(
    message: string,
    details: { status?: number; modelState?: Record<string, string[]>; answer?: unknown; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.status = details.status ?? 0;
    this.modelState = details.modelState ?? {};
    this.answer = details.answer;
  }
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** Browsers' messages for a call without response. They differ between browsers, and none says what to do. */
const UNREACHABLE = /^(failed to fetch|load failed|networkerror\b.*|network error)\.?$/i;

/** Converts any thrown value to an AppFailure. */
export function toFailure(error: unknown): AppFailure {
  if (error instanceof AppFailure) return error;
  const said = error instanceof Error ? error.message : String(error);
  const detail = UNREACHABLE.test(said) ? 'The server cannot be reached. Please try again.' : said;
  return new AppFailure(`Network error: ${detail}`, { cause: error });
}

/** Returns the change that a refused save would have overwritten; null if it was not refused for that. */
export function otherEditOf(error: unknown): OtherEdit | null {
  if (!(error instanceof AppFailure) || typeof error.answer !== 'object' || error.answer === null) return null;
  const { OtherEdit: other } = error.answer as { OtherEdit?: OtherEdit };
  return other ?? null;
}

/**
 * Converts a failed response to an AppFailure. JSON calls use `message` and `modelState`, uploads `Message`. 403 and
 * 401 always have their own text (specification of security, section 8); a reason in modelState[''] is appended to the
 * text of 403.
 */
export function failureOfAnswer(status: number, answer: unknown): AppFailure {
  const { message, modelState } = readFailure(answer);
  if (status === 401 || status === 403) {
    const reason = status === 403 ? modelState['']?.[0] : undefined;
    const text = reason ? `${NO_PERMISSION}. ${reason}.` : NO_PERMISSION;
    return new AppFailure(text, { status, modelState, answer });
  }
  return new AppFailure(message || modelState['']?.[0] || UNREADABLE, { status, modelState, answer });
}

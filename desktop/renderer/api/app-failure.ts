import { readFailure } from '#shared/client/request.ts';

export const NO_PERMISSION = 'You do not have permissions for this operation';

/** Of an answer that says nothing. */
export const UNREADABLE = 'Unexpected error';

/** A call that was refused or failed; `message` is what the person reads. */
export class AppFailure extends Error {
  override readonly name = 'AppFailure';
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  /** Messages by field name; '' for the whole. */
  readonly modelState: Record<string, string[]>;
  /** The answer as it came, for calls whose failures say more (upload faults). */
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

/** What browsers say of a call that no answer came to, each in its own words, and none what to do. */
const UNREACHABLE = /^(failed to fetch|load failed|networkerror\b.*|network error)\.?$/i;

/** The failure behind whatever was thrown. */
export function toFailure(error: unknown): AppFailure {
  if (error instanceof AppFailure) return error;
  const said = error instanceof Error ? error.message : String(error);
  const detail = UNREACHABLE.test(said) ? 'The server cannot be reached. Please try again.' : said;
  return new AppFailure(`Network error: ${detail}`, { cause: error });
}

/**
 * The failure an answer tells of. Calls say `message` and `modelState`, uploads `Message`; 403 and 401 have a text of their own
 * whatever the server says (specification of security, section 8); a reason it has besides, as the word on the whole, follows that.
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

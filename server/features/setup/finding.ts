import type { Finding, FindingCode } from '#shared/contract/setup.ts';

export const finding = (Code: FindingCode, Values: Finding['Values'] = {}): Finding => ({ Code, Values });

const MAX_REASON_LENGTH = 200;

/** Returns why another program could not be reached, on one line: its code, such as ECONNREFUSED, and its message. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error).slice(0, MAX_REASON_LENGTH);
  // fetch hides the reason in its cause.
  if (error.cause instanceof Error && error.message === 'fetch failed') return reasonOf(error.cause);
  const { code } = error as NodeJS.ErrnoException;
  const message = error.message.replaceAll(/\s+/g, ' ');
  const text = typeof code === 'string' && !message.includes(code) ? `${code}: ${message}` : message;
  return text.slice(0, MAX_REASON_LENGTH);
}

/** Returns the findings, or that they did not arrive in time. The work itself has limits too. */
export async function within(seconds: number, work: Promise<Finding[]>): Promise<Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding[]>((resolve) => {
    timer = setTimeout(() => resolve([finding('tooSlow', { seconds })]), seconds * 1000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const DAY_MS = 86_400_000;
/** A certificate that ends sooner needs attention. */
const SOON_DAYS = 21;

/** Returns whole days until a time; negative if it is over. */
export const daysUntil = (time: number): number => Math.floor((time - Date.now()) / DAY_MS);

export const endsSoon = (days: number): boolean => days < SOON_DAYS;

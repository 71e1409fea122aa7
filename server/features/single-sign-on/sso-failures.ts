/** Failures at sign-on, and the texts that people see. */
import { AppError } from '#server/base/app-error.ts';
import type { Log } from '#server/base/log.ts';
import type { SsoProvider } from './sso-provider.ts';

/** No text reveals whether such a user exists or is disabled. */
export const SSO_TEXTS = {
  failed: 'Login failed',
  expired: 'The sign-in took too long or was started in another browser. Please try again.',
  unknown: 'You do not have access to this portal. Please contact its administrator.',
  outside: 'You may not sign in from outside the trusted networks',
  other: 'You signed in as a different user. Please try again.',
  unreachable: 'The sign-in provider cannot be reached. Please try again later.',
} as const;

const STATUS: Record<keyof typeof SSO_TEXTS, number> = {
  failed: 400,
  expired: 400,
  unknown: 403,
  outside: 403,
  other: 400,
  unreachable: 502,
};

export function ssoRefusal(text: keyof typeof SSO_TEXTS, cause?: unknown): AppError {
  return new AppError(`sso_${text}`, STATUS[text], SSO_TEXTS[text], { cause });
}

export const noProvider = (): AppError => new AppError('noProvider', 404, 'There is no such sign-in provider');

/** Runs a request to a provider. If it fails, logs the reason and throws an AppError 502. */
export async function reach<T>({ name }: SsoProvider, log: Log, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    log.error({ err: cause, provider: name }, 'could not reach a sign-in provider');
    throw ssoRefusal('unreachable', cause);
  }
}

import { token, type SecondFactorKey, type TokenFailure, type TokenResponse } from '#shared/contract/auth.ts';
import { LAST_FAILED_LOGIN_HEADER } from '#shared/contract/headers.ts';
import { AppFailure } from '#renderer/api/app-failure.ts';
import { callWithHeaders } from '#renderer/api/client.ts';
import { encryptPasswords } from '#renderer/api/passwords.ts';
import { lastLoginMessage } from '#renderer/app/last-login.ts';
import { t } from '#renderer/language/translate.ts';

/** Start of the response that requires a new password first. */
export const MUST_CHANGE = 'You must change your password';

/** Signs in, and changes the password if a new one is passed. The message says when the account was last used. */
export async function signIn(
  userName: string,
  password: string,
  newPassword: string | null,
  code: string | null,
): Promise<{ answer: TokenResponse; message: string }> {
  const plain = newPassword === null ? [password] : [password, newPassword];
  const encrypted = await encryptPasswords(userName, plain);
  const body = { grant_type: 'password' as const, username: userName, password: encrypted.join('\n') };
  const factor = code === null ? {} : { code };
  const { result, headers } = await callWithHeaders(token, { body: { ...body, ...factor } });
  return { answer: result, message: lastLoginMessage(result, headers.get(LAST_FAILED_LOGIN_HEADER)) };
}

/**
 * What a refused sign-in requires: a code of the second factor, and the key for an app if the factor must be set up.
 */
export interface FactorQuestion {
  setup: SecondFactorKey | null;
}

export function factorQuestion(failure: unknown): FactorQuestion | null {
  if (!(failure instanceof AppFailure)) return null;
  const { error, setup } = (failure.answer ?? {}) as Partial<TokenFailure>;
  if (error === 'second_factor_setup' && setup) return { setup };
  return error === 'second_factor_required' || error === 'second_factor_wrong' ? { setup: null } : null;
}

/**
 * Returns the text for a refused sign-in. For 'invalid_grant' it shows only what the server marked for display, so that
 * nothing helps to guess. Source: specification of security, section 5.
 */
export function signInFailureText(failure: unknown): string {
  if (!(failure instanceof AppFailure)) return t('Unexpected error');
  const { error, error_description: description } = (failure.answer ?? {}) as Record<string, unknown>;
  if (typeof error !== 'string') return failure.message;
  if (typeof description === 'string' && description.startsWith('display:')) {
    return description.slice('display:'.length).trim();
  }
  return error === 'invalid_grant' ? t('Login failed') : t('Unexpected error: {error}', { error });
}

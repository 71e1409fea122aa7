/**
 * Signs in with the one-time token that a provider's sign-in returns. Source: specification of security, sections 2 and
 * 4.
 */
import { create } from 'zustand';
import { LAST_FAILED_LOGIN_HEADER } from '#shared/contract/headers.ts';
import { redeemOtt } from '#shared/contract/sso.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { callWithHeaders } from '#renderer/api/client.ts';
import { forgetPath } from './remembered-path.ts';
import { beginSession } from './session.ts';
import { lastLoginMessage } from './last-login.ts';

interface OttState {
  /** True while a token is being redeemed. */
  isBusy: boolean;
  /** Error for the sign-in page. */
  error: string | null;
  /** When the account was last used; shown once. */
  message: string;
}

export const useOttLogin = create<OttState>(() => ({ isBusy: false, error: null, message: '' }));

/**
 * Redeems the token in the page's address. The token is removed immediately, so that it does not stay in the history.
 * Must be called before rendering.
 */
export async function redeemStartToken(): Promise<void> {
  const query = new URLSearchParams(window.location.search);
  const ott = query.get('ott');
  if (query.get('sso') !== '1' || !ott) return;
  for (const name of ['sso', 'ott']) query.delete(name);
  bridge.rewriteAddress(query.size > 0 ? `?${query.toString()}` : '');
  useOttLogin.setState({ isBusy: true });
  try {
    const { result, headers } = await callWithHeaders(redeemOtt, { body: { Ott: ott } });
    const { UserName, ...answer } = result;
    forgetPath();
    beginSession(UserName, answer);
    const message = lastLoginMessage(answer, headers.get(LAST_FAILED_LOGIN_HEADER));
    useOttLogin.setState({ isBusy: false, message });
  } catch (error) {
    useOttLogin.setState({ isBusy: false, error: toFailure(error).message });
  }
}

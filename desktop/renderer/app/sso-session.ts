/** The provider's part of a session: renewal and logout address. Source: specification of security, section 4. */
import type { TokenResponse } from '#shared/contract/auth.ts';
import { refreshSso, ssoLogoutUrl, ssoUrl } from '#shared/contract/sso.ts';
import { call } from '#renderer/api/client.ts';

/** Times are in milliseconds since 1970, by the server's clock. */
export interface SsoPart {
  /** Such as 'saml2:corp'; null if the user signed in with a password. */
  ssoProvider: string | null;
  ssoIssued: number;
  ssoExpiry: number | null;
}

const RENEW_BEFORE = 120_000;
export const SSO_RETRY = 30_000;

export function ssoPartOf({ ssoProvider, ssoExpiry }: TokenResponse, now: number): SsoPart {
  return { ssoProvider, ssoIssued: now, ssoExpiry: ssoExpiry === null ? null : Date.parse(ssoExpiry) };
}

/**
 * Returns the renewal time: two minutes before the expiry, or halfway for sessions shorter than four minutes. Infinity
 * if there is nothing to renew.
 */
export function ssoRenewalTime({ ssoProvider, ssoIssued, ssoExpiry }: SsoPart): number {
  if (!ssoProvider || ssoExpiry === null) return Infinity;
  return ssoExpiry - Math.min(RENEW_BEFORE, Math.max(0, (ssoExpiry - ssoIssued) / 2));
}

const paramsOf = (ssoProvider: string): { type: 'saml2' | 'oidc'; id: string } => {
  const [type, id = ''] = ssoProvider.split(/:(.*)/s);
  return { type: type === 'saml2' ? 'saml2' : 'oidc', id };
};

/**
 * Returns the new expiry of the provider's session; null if only the user can renew it.
 * @param ott token of a sign-in at the provider that has just happened (sign-in-again.ts)
 */
export async function renewAtProvider(ssoProvider: string, ott?: string): Promise<number | null> {
  const body = ott === undefined ? null : { Ott: ott };
  const { ssoExpiry } = await call(refreshSso, { params: paramsOf(ssoProvider), body });
  return ssoExpiry === null ? null : Date.parse(ssoExpiry);
}

/**
 * Returns the address for a new sign-in at the provider, even if it still knows the user. @param path path of the
 * portal to return to
 */
export async function freshSignInAddress(ssoProvider: string, path: string): Promise<string> {
  const { type: kind, id: key } = paramsOf(ssoProvider);
  return (await call(ssoUrl, { params: { kind, key }, body: { ClientType: 'web', Path: path, Fresh: true } })).Path;
}

/** Returns the provider's logout address; null if it offers none or cannot be asked. */
export async function logoutAddress(ssoProvider: string): Promise<string | null> {
  try {
    const { url } = await call(ssoLogoutUrl, { params: paramsOf(ssoProvider), signal: AbortSignal.timeout(5000) });
    return url;
  } catch {
    return null;
  }
}

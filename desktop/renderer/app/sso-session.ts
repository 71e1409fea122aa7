/** The provider's part of a session: when it is renewed, and where one logs out of it. Source: specification of security, section 4. */
import type { TokenResponse } from '#shared/contract/auth.ts';
import { refreshSso, ssoLogoutUrl, ssoUrl } from '#shared/contract/sso.ts';
import { call } from '#renderer/api/client.ts';

/** Times are the server's, in milliseconds since 1970. */
export interface SsoPart {
  /** Such as 'saml2:corp'; null where the person signed in with a password. */
  ssoProvider: string | null;
  ssoIssued: number;
  ssoExpiry: number | null;
}

const RENEW_BEFORE = 120_000;
export const SSO_RETRY = 30_000;

export function ssoPartOf({ ssoProvider, ssoExpiry }: TokenResponse, now: number): SsoPart {
  return { ssoProvider, ssoIssued: now, ssoExpiry: ssoExpiry === null ? null : Date.parse(ssoExpiry) };
}

/** Two minutes before the end; what lives shorter than four is renewed halfway. Infinity where there is nothing to renew. */
export function ssoRenewalTime({ ssoProvider, ssoIssued, ssoExpiry }: SsoPart): number {
  if (!ssoProvider || ssoExpiry === null) return Infinity;
  return ssoExpiry - Math.min(RENEW_BEFORE, Math.max(0, (ssoExpiry - ssoIssued) / 2));
}

const paramsOf = (ssoProvider: string): { type: 'saml2' | 'oidc'; id: string } => {
  const [type, id = ''] = ssoProvider.split(/:(.*)/s);
  return { type: type === 'saml2' ? 'saml2' : 'oidc', id };
};

/**
 * The new end of the provider's part; null where it takes the person to renew it.
 * @param ott of a sign-in at the provider just now (sign-in-again.ts)
 */
export async function renewAtProvider(ssoProvider: string, ott?: string): Promise<number | null> {
  const body = ott === undefined ? null : { Ott: ott };
  const { ssoExpiry } = await call(refreshSso, { params: paramsOf(ssoProvider), body });
  return ssoExpiry === null ? null : Date.parse(ssoExpiry);
}

/** Where the person signs in at the provider once more, whether it knows them or not. @param path of the portal to come back to */
export async function freshSignInAddress(ssoProvider: string, path: string): Promise<string> {
  const { type: kind, id: key } = paramsOf(ssoProvider);
  return (await call(ssoUrl, { params: { kind, key }, body: { ClientType: 'web', Path: path, Fresh: true } })).Path;
}

/** Where one logs out of the provider; null where it offers no such thing, or cannot be asked. */
export async function logoutAddress(ssoProvider: string): Promise<string | null> {
  try {
    const { url } = await call(ssoLogoutUrl, { params: paramsOf(ssoProvider), signal: AbortSignal.timeout(5000) });
    return url;
  } catch {
    return null;
  }
}

/** Log-outs that a SAML2 provider requests, by redirect. Source: SAML 2.0 bindings, section 3.4. */
import type { SAML } from '@node-saml/node-saml';
import { checkLogoutDestination } from './saml2-message.ts';
import type { SsoCallback } from './sso-provider.ts';

export interface LogoutRequest {
  /** The provider's names of the person and the session. The session is '' if all sessions are meant. */
  subject: string;
  index: string;
  /** Returns where to send the browser with the portal's response. */
  answer(): Promise<string>;
}

/**
 * How long used log-out requests are remembered, so that they are accepted only once. Older requests have expired, or
 * should have.
 */
const LOGOUT_MEMORY_SECONDS = 86_400;
const LOGOUT_PARAMETERS = ['SAMLRequest', 'RelayState', 'SigAlg', 'Signature'];
const SIGNATURES = /^http:\/\/www\.w3\.org\/2001\/04\/xmldsig-more#(rsa|ecdsa)-sha(256|384|512)$/;

/** Rejects if the provider did not sign the request, if it is meant for another address, or if it was used before. */
export async function readLogoutRequest(
  client: SAML,
  { issuer, address }: { issuer: string; address: string },
  callback: SsoCallback,
): Promise<LogoutRequest> {
  const parameters = signedParameters(callback.query);
  checkLogoutDestination(parameters['SAMLRequest']!, address);
  const { profile } = await client.validateRedirectAsync(parameters, callback.query);
  if (!profile?.ID) throw new Error('the request to log out names nobody');
  if (!(await callback.useOnce(`${issuer} ${profile.ID}`, LOGOUT_MEMORY_SECONDS)))
    throw new Error('the request to log out was used before');
  return {
    subject: profile.nameID,
    index: profile.sessionIndex ?? '',
    answer: () => client.getLogoutResponseUrlAsync(profile, parameters['RelayState'] ?? '', {}, true),
  };
}

/** The library accepts a query without a signature, and matches parameters by parts of their names. */
function signedParameters(query: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    if (!LOGOUT_PARAMETERS.includes(name) || name in found)
      throw new Error(`${name} does not belong in a request to log out`);
    found[name] = value;
  }
  if (!found['SAMLRequest'] || !found['Signature'] || !SIGNATURES.test(found['SigAlg'] ?? ''))
    throw new Error('the request to log out is not signed, or with an algorithm that is not taken');
  return found;
}

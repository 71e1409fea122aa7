/** Log-outs that a SAML2 provider asks for, by redirect. Source: SAML 2.0 bindings, section 3.4. */
import type { SAML } from '@node-saml/node-saml';
import { checkLogoutDestination } from './saml2-message.ts';
import type { SsoCallback } from './sso-provider.ts';

export interface LogoutRequest {
  /** The provider's names of the person and of the session; the latter '' where all are meant. */
  subject: string;
  index: string;
  /** Where to send the browser with our answer. */
  answer(): Promise<string>;
}

/** A request to log out is taken only once for so long; older ones have expired by what they say, or should have. */
const LOGOUT_MEMORY_SECONDS = 86_400;
const LOGOUT_PARAMETERS = ['SAMLRequest', 'RelayState', 'SigAlg', 'Signature'];
const SIGNATURES = /^http:\/\/www\.w3\.org\/2001\/04\/xmldsig-more#(rsa|ecdsa)-sha(256|384|512)$/;

/** Rejects where the request is not signed by the provider, is meant for another address than this one, or was used before. */
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

/** The library takes a query without a signature for a good one, and reads parameters by parts of their names. */
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

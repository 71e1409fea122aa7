/** Checks of a signed assertion beyond those of the library. Source: SAML 2.0 profiles, section 4.1.4. */
import type { Profile } from '@node-saml/node-saml';

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/** An XML element as the library parses it: attributes in `$`, text in `_`, children in lists by name. */
interface Element {
  $?: Record<string, string>;
  _?: string;
  [child: string]: unknown;
}

export interface Expected {
  issuer: string;
  requestId: string;
  /** The address that the response was sent to. */
  recipient: string;
  clockSkewSeconds: number;
}

export interface AssertionFacts {
  id: string;
  /** Seconds until the assertion expires. */
  expiresIn: number;
  /** Seconds until the provider's session ends; null if it does not say. */
  sessionEndsIn: number | null;
  /** Milliseconds since 1970; null if the provider does not say. */
  signedInTime: number | null;
}

/**
 * The library also reads InResponseTo from the unsigned response around the assertion, and checks neither the recipient
 * nor the issuer. Therefore the signed assertion itself must name them. Throws an Error with the reason.
 */
export function checkAssertion(profile: Profile, expected: Expected): AssertionFacts {
  const assertion = (profile.getAssertion?.() as { Assertion?: Element } | undefined)?.Assertion;
  if (!assertion) throw new Error('the answer has no assertion');
  const id = assertion.$?.['ID'] ?? '';
  if (id === '') throw new Error('the assertion has no ID');
  if (profile.issuer !== expected.issuer) throw new Error(`the assertion is of another issuer: ${profile.issuer}`);
  const expiry = confirmedUntil(assertion, expected);
  const [statement] = children(assertion, 'AuthnStatement');
  if (!statement) throw new Error('the assertion tells of no sign-in');
  const sessionEnd = statement.$?.['SessionNotOnOrAfter'];
  const signedIn = Date.parse(statement.$?.['AuthnInstant'] ?? '');
  return {
    id,
    expiresIn: secondsUntil(expiry) + expected.clockSkewSeconds,
    sessionEndsIn: sessionEnd === undefined ? null : secondsUntil(sessionEnd),
    signedInTime: Number.isNaN(signedIn) ? null : signedIn,
  };
}

/** Returns until when the bearer may use the assertion as a response to this request at this address. */
function confirmedUntil(assertion: Element, { requestId, recipient, clockSkewSeconds }: Expected): string {
  const [subject] = children(assertion, 'Subject');
  for (const confirmation of subject ? children(subject, 'SubjectConfirmation') : []) {
    const [data] = children(confirmation, 'SubjectConfirmationData');
    const { InResponseTo, Recipient, NotOnOrAfter } = data?.$ ?? {};
    if (confirmation.$?.['Method'] !== BEARER || InResponseTo !== requestId || Recipient !== recipient) continue;
    if (NotOnOrAfter !== undefined && secondsUntil(NotOnOrAfter) + clockSkewSeconds > 0) return NotOnOrAfter;
  }
  throw new Error('the assertion is not for this request, this address and this moment');
}

function children(element: Element, name: string): Element[] {
  const found = element[name];
  return Array.isArray(found) ? (found as Element[]) : [];
}

function secondsUntil(timestamp: string): number {
  const time = Date.parse(timestamp);
  if (Number.isNaN(time)) throw new Error(`the assertion has a moment that is none: ${timestamp}`);
  return Math.floor((time - Date.now()) / 1000);
}

const WEAK = /Algorithm\s*=\s*["'][^"']*(?:#|-)(?:sha1|md5|hmac-\w+)["']/i;

/**
 * Rejects, before parsing, what no provider needs to send: document types (entities), wrapped assertions, weak
 * signatures.
 */
export function refuseUnsafeXml(xml: string): void {
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw new Error('the answer has a document type');
  for (const name of ['Response', 'Assertion']) {
    // The only purpose of a second one in a response would be to pass for the first.
    const count = xml.match(new RegExp(`<(?:[\\w.-]+:)?${name}[\\s/>]`, 'g'))?.length ?? 0;
    if (count > 1) throw new Error(`the answer has ${count} elements ${name}`);
  }
  if (WEAK.test(xml)) throw new Error('the answer is signed with SHA-1, MD5 or a shared key');
}

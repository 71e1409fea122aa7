/** Reads which person a signed assertion names. */
import type { Profile } from '@node-saml/node-saml';
import type { Saml2Settings } from '#server/config/sign-in-sources.ts';
import type { SsoClaim, SsoIdentity, SsoLogoutContext } from './sso-provider.ts';

/** Common names of the attributes with which providers describe a new user. */
const ATTRIBUTES = {
  userName: ['uid', 'urn:oid:0.9.2342.19200300.100.1.1', 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name'],
  firstName: [
    'givenName',
    'firstName',
    'urn:oid:2.5.4.42',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname',
  ],
  lastName: ['sn', 'lastName', 'urn:oid:2.5.4.4', 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname'],
  email: [
    'mail',
    'email',
    'urn:oid:0.9.2342.19200300.100.1.3',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  ],
};

export function identityOf(profile: Profile, settings: Saml2Settings): SsoIdentity {
  const { userNameAttribute, attributes = {} } = settings;
  const profileAttributes = (profile['attributes'] ?? {}) as Record<string, unknown>;
  const text = (names: readonly string[]): string => {
    for (const name of names) {
      const [first] = [profileAttributes[name] ?? ''].flat() as unknown[];
      if (typeof first === 'string' && first.trim() !== '') return first.trim();
    }
    return '';
  };
  const subject = userNameAttribute === undefined ? profile.nameID : text([userNameAttribute]);
  const named = (field: keyof typeof ATTRIBUTES): string =>
    text(attributes[field] === undefined ? ATTRIBUTES[field] : [attributes[field]]);
  return {
    subject: subject ?? '',
    UserName: named('userName') || (subject ?? ''),
    FirstName: named('firstName'),
    LastName: named('lastName'),
    Email: named('email'),
  };
}

/** Returns the NameID and the attributes. */
export function claimsOf(profile: Profile): SsoClaim[] {
  const attributes = (profile['attributes'] ?? {}) as Record<string, unknown>;
  const named: [string, unknown][] = [['NameID', profile.nameID], ...Object.entries(attributes)];
  return named.map(([Name, value]) => ({ Name, Values: [value].flat().map(valueText) }));
}

/** An empty value is undefined, and one with XML elements, such as eduPersonTargetedID, is an object. */
const valueText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

export function logoutContextOf({ nameID, nameIDFormat, sessionIndex }: Profile): SsoLogoutContext {
  return { nameId: nameID, nameIdFormat: nameIDFormat, ...(sessionIndex ? { sessionIndex } : {}) };
}

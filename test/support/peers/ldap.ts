/** A directory served by ldapjs over TLS, which can be installed everywhere. */
import type { AddressInfo } from 'node:net';
import ldap from 'ldapjs';
import type { KeyAndCertificate } from './certificates.ts';
import { BASE_DN, dnOf, PEOPLE, READER, type DirectoryPeer } from './ldap-people.ts';

export interface LdapPeer extends DirectoryPeer {
  /** Filters of searches, as the server parsed them. */
  filters: string[];
  /** Distinguished names that were bound. */
  binds: string[];
  /** Sets an abnormal response for the next searches. */
  misbehave(kind: 'no' | 'silence' | 'referral' | 'twice'): void;
}

/** Types for ldapjs, which does not declare its handlers. */
interface LdapRequest {
  dn: { toString(): string };
  credentials: string;
  filter: { toString(): string; matches(attributes: object): boolean };
}
interface LdapResponse {
  end(): void;
  send(entry: object, asItIs: boolean): void;
}

/** Normalizes the name to the server's spelling. */
const canonical = (dn: string): string => (ldap.parseDN(dn) as { toString(): string }).toString();

export async function startLdapPeer({ key, certificate }: KeyAndCertificate): Promise<LdapPeer> {
  const server = ldap.createServer({ key, certificate });
  const filters: string[] = [];
  const binds: string[] = [];
  let fault = 'no';

  server.bind('', (request: LdapRequest, response: LdapResponse, next: (error?: unknown) => void) => {
    const dn = request.dn.toString();
    binds.push(dn);
    const people = PEOPLE.map(({ uid, password }) => ({ dn: canonical(dnOf(uid)), password }));
    const known = [{ dn: canonical(READER.dn), password: READER.password }, ...people];
    // As on real servers, a bind without a password is anonymous and succeeds.
    if (request.credentials === '' || known.some((one) => one.dn === dn && one.password === request.credentials)) {
      response.end();
      return next();
    }
    return next(new ldap.InvalidCredentialsError());
  });
  server.search(BASE_DN, (request: LdapRequest, response: LdapResponse, next: (error?: unknown) => void) => {
    filters.push(request.filter.toString());
    if (fault === 'silence') return undefined;
    if (fault === 'referral') return next(new ldap.ReferralError('ldap://elsewhere.example/'));
    const found = PEOPLE.filter(({ uid, mail }) =>
      request.filter.matches({ objectClass: ['inetOrgPerson'], uid, mail }),
    );
    for (const { uid, givenName, sn, mail } of fault === 'twice' ? PEOPLE : found) {
      const attributes = { objectClass: ['inetOrgPerson'], uid, givenName, sn, mail };
      // True sends the attributes unchanged. Otherwise ldapjs would compare their names with the requested ones
      // case-sensitively.
      response.send({ dn: dnOf(uid), attributes }, true);
    }
    response.end();
    return next();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = (server as unknown as { address(): AddressInfo }).address();
  return {
    url: `ldaps://localhost:${port}`,
    plainUrl: null,
    filters,
    binds,
    misbehave: (kind) => void (fault = kind),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

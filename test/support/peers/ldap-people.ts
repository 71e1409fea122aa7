/** The people in test directories, and the settings to read them. */
import type { Peer } from './peer.ts';

export interface DirectoryPerson {
  uid: string;
  givenName: string;
  sn: string;
  mail: string;
  password: string;
}

export const BASE_DN = 'ou=people,dc=example,dc=org';
export const READER = { dn: 'cn=reader,dc=example,dc=org', password: 'Reader-Secret-1' };

export const PEOPLE: readonly DirectoryPerson[] = [
  { uid: 'grace', givenName: 'Grace', sn: 'Hopper', mail: 'grace@example.org', password: 'Cobol-Rocks-59' },
  { uid: 'edsger', givenName: 'Edsger', sn: 'Dijkstra', mail: 'edsger@example.org', password: 'Goto-Harmful-68' },
  { uid: 'o (ops)*', givenName: 'Olga', sn: 'Ops', mail: 'olga@example.org', password: 'Paren-Theses-7' },
];

export const dnOf = (uid: string): string => `uid=${uid},${BASE_DN}`;

/** Settings for both servers. */
export const DIRECTORY_SETTINGS = {
  key: 'corp',
  bindDn: READER.dn,
  bindPassword: READER.password,
  baseDn: BASE_DN,
  userFilter: '(&(objectClass=inetOrgPerson)(uid={name}))',
  // Attribute names are case-insensitive in directories.
  attributes: { userName: 'uid', firstName: 'givenname' },
};

/** The URL starts with ldaps: */
export interface DirectoryPeer extends Peer {
  /** The ldap:// URL for StartTLS; null if the server does not support it. */
  plainUrl: string | null;
}

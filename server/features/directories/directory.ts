/** One directory (LDAP, Active Directory): finds people and checks their passwords by binding as them. */
import { connect } from 'node:net';
import { Client, InvalidCredentialsError, type Entry } from 'ldapts';
import type { DirectorySettings } from '#server/config/sign-in-sources.ts';
import { userFilter } from './directory-filter.ts';

/** A person's entry in a directory. */
export interface DirectoryProfile {
  /** The name as spelled in the directory. */
  UserName: string;
  FirstName: string;
  LastName: string;
  Email: string;
  /** The distinguished name. */
  Dn: string;
}

export interface Directory {
  readonly key: string;
  readonly createUsers: boolean;
  /**
   * Returns the person with that name; null if there is none or more than one. Rejects if no server of the directory is
   * reachable.
   */
  find(userName: string): Promise<DirectoryProfile | null>;
  /**
   * Returns the person if the password is correct. Never binds with an empty password: servers treat that as an
   * anonymous bind.
   */
  authenticate(userName: string, password: string): Promise<DirectoryProfile | null>;
  /**
   * Signs in with the name and password of the settings and reads the base entry. Rejects with an AggregateError of the
   * reason of each server.
   */
  check(): Promise<void>;
}

export interface DirectorySecrets {
  bindPassword: string;
  /** CA certificates as PEM; defaults to the system's authorities. */
  ca?: string;
}

const ACTIVE_DIRECTORY_FILTER = '(&(objectCategory=person)(objectClass=user)(sAMAccountName={name}))';
const DEFAULT_TIMEOUT_SECONDS = 5;
/** Two entries suffice to detect that a name is not unique. */
const MAX_ENTRIES = 2;

export function createDirectory(settings: DirectorySettings, secrets: DirectorySecrets): Directory {
  const { key, urls, baseDn, bindDn, createUsers = false } = settings;
  const names = { userName: 'sAMAccountName', firstName: 'givenName', lastName: 'sn', email: 'mail' };
  const attributes = { ...names, ...settings.attributes };

  /** Runs the work on the first server that is reachable. */
  async function withServer<T>(work: (open: () => Promise<Client>) => Promise<T>): Promise<T> {
    const failures: unknown[] = [];
    for (const url of urls) {
      const clients: Client[] = [];
      const open = async (): Promise<Client> => {
        const client = openClient(url, settings, secrets);
        clients.push(client);
        if (settings.startTls) await client.startTLS(tlsOptions(url, secrets));
        return client;
      };
      try {
        return await work(open);
      } catch (error) {
        failures.push(error);
      } finally {
        await Promise.allSettled(clients.map((client) => client.unbind()));
      }
    }
    throw new AggregateError(failures, `the directory ${key} cannot be asked`);
  }

  async function search(open: () => Promise<Client>, userName: string): Promise<DirectoryProfile | null> {
    const client = await open();
    await client.bind(bindDn, secrets.bindPassword);
    const { searchEntries } = await client.search(baseDn, {
      scope: 'sub',
      filter: userFilter(settings.userFilter ?? ACTIVE_DIRECTORY_FILTER, userName),
      attributes: Object.values(attributes),
      sizeLimit: MAX_ENTRIES,
      timeLimit: settings.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
      // Aliases and referrals could lead to servers that no administrator chose to trust. The client does not follow
      // referrals either.
      derefAliases: 'never',
    });
    const [entry, second] = searchEntries;
    return entry && !second ? profileOf(entry, attributes, userName) : null;
  }

  async function readBase(open: () => Promise<Client>): Promise<void> {
    const client = await open();
    await client.bind(bindDn, secrets.bindPassword);
    await client.search(baseDn, { scope: 'base', filter: '(objectClass=*)', attributes: ['1.1'], sizeLimit: 1 });
  }

  return {
    key,
    createUsers,
    check: () => withServer(readBase),
    find: (userName) => withServer((open) => search(open, userName)),
    authenticate: async (userName, password) => {
      if (password === '' || userName.trim() === '') return null;
      return withServer(async (open) => {
        const profile = await search(open, userName);
        if (!profile || profile.Dn === '') return null;
        const client = await open();
        return (await bindsAs(client, profile.Dn, password)) ? profile : null;
      });
    },
  };
}

async function bindsAs(client: Client, dn: string, password: string): Promise<boolean> {
  try {
    await client.bind(dn, password);
    return true;
  } catch (error) {
    if (error instanceof InvalidCredentialsError) return false;
    throw error;
  }
}

function openClient(url: string, { startTls, timeoutSeconds }: DirectorySettings, secrets: DirectorySecrets): Client {
  const milliseconds = (timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000;
  return new Client({
    url,
    timeout: milliseconds,
    connectTimeout: milliseconds,
    ...(startTls ? { createConnection: connectOnce() } : { tlsOptions: tlsOptions(url, secrets) }),
  });
}

function tlsOptions(url: string, { ca }: DirectorySecrets) {
  const servername = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return {
    minVersion: 'TLSv1.2' as const,
    rejectUnauthorized: true,
    host: servername,
    ...(ca === undefined ? {} : { ca }),
  };
}

/**
 * Allows a client only one connection. The client would otherwise reconnect after a lost connection without StartTLS
 * and send passwords in plain text.
 */
function connectOnce(): typeof connect {
  let isUsed = false;
  return ((...parameters: Parameters<typeof connect>) => {
    if (isUsed) throw new Error('the connection was lost after it had been encrypted');
    isUsed = true;
    return connect(...parameters);
  }) as typeof connect;
}

type Attributes = Record<'userName' | 'firstName' | 'lastName' | 'email', string>;

function profileOf(entry: Entry, names: Attributes, typed: string): DirectoryProfile {
  // Directories differ in the capitalization of attribute names.
  const values = new Map(Object.entries(entry).map(([name, value]) => [name.toLowerCase(), value]));
  const text = (name: string): string => {
    const [first] = [values.get(name.toLowerCase()) ?? ''].flat();
    return String(first ?? '').trim();
  };
  return {
    UserName: text(names.userName) || typed.trim(),
    FirstName: text(names.firstName),
    LastName: text(names.lastName),
    Email: text(names.email),
    Dn: entry.dn,
  };
}

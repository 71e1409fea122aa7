/**
 * Determines the portal and the credentials of the command: from the environment, or else what `runsheet login` has
 * saved.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { createClient, type Client } from '#shared/client/client.ts';
import { CliError, ExitCode } from './cli-error.ts';
import type { Terminal } from './terminal.ts';

/** Environment variables for the portal's address and an API key. Both override saved logins. */
export const PORTAL_VARIABLE = 'RUNSHEET_PORTAL';
export const KEY_VARIABLE = 'RUNSHEET_API_KEY';

const Logins = Type.Object(
  {
    /** The portal of the last sign-in. */
    Current: Type.String(),
    /** Token or API key by portal address. */
    Tokens: Type.Record(Type.String(), Type.String()),
  },
  { additionalProperties: false },
);
type Logins = Static<typeof Logins>;

function loginsFile({ env }: Terminal): string {
  const folder = env['XDG_CONFIG_HOME'] || env['APPDATA'] || join(env['HOME'] || homedir(), '.config');
  return join(folder, 'runsheet', 'logins.json');
}

function readLogins(terminal: Terminal): Logins {
  const file = loginsFile(terminal);
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (Value.Check(Logins, read)) return read;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { Current: '', Tokens: {} };
    if (!(error instanceof SyntaxError)) throw new CliError(`${file} cannot be read: ${(error as Error).message}`);
  }
  throw new CliError(`${file} is damaged: remove it, and sign in again`);
}

/** Writes the file atomically, readable only by its owner. */
function writeLogins(terminal: Terminal, logins: Logins): void {
  const file = loginsFile(terminal);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}`;
  try {
    writeFileSync(next, JSON.stringify(logins), { mode: 0o600 });
    chmodSync(next, 0o600);
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw new CliError(`${file} cannot be written: ${(error as Error).message}`);
  }
}

/** Saves a login, and makes its portal the default of the following commands. */
export function saveLogin(terminal: Terminal, address: string, token: string): void {
  const { Tokens } = readLogins(terminal);
  writeLogins(terminal, { Current: address, Tokens: { ...Tokens, [address]: token } });
}

/** Removes the login of a portal; returns true if there was one. */
export function forgetLogin(terminal: Terminal, address: string): boolean {
  const { Current, Tokens } = readLogins(terminal);
  const { [address]: forgotten, ...others } = Tokens;
  writeLogins(terminal, { Current: Current === address ? (Object.keys(others)[0] ?? '') : Current, Tokens: others });
  return forgotten !== undefined;
}

/** Returns the form of an address by which logins are saved: with '/' at its end, without query and fragment. */
export function portalAddress(given: string): string {
  const url = URL.parse(given);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new CliError(`"${given}" is not the address of a portal, such as https://portal.example.org`);
  }
  if (url.username !== '' || url.password !== '')
    throw new CliError('An address must not contain a user name or password');
  return `${url.origin}${url.pathname.replace(/\/*$/, '/')}`;
}

/** @param portal address from the command line */
export function openClient(terminal: Terminal, portal: string | undefined): Client {
  const { env } = terminal;
  const logins = readLogins(terminal);
  const named = portal ?? env[PORTAL_VARIABLE] ?? logins.Current;
  if (named === '') {
    throw new CliError(
      `No portal is known: sign in with "runsheet login ADDRESS", or set ${PORTAL_VARIABLE} and ${KEY_VARIABLE}`,
    );
  }
  const address = portalAddress(named);
  const token = env[KEY_VARIABLE] || logins.Tokens[address];
  if (token === undefined) {
    throw new CliError(
      `Not signed in to ${address}: run "runsheet login ${address}", or set ${KEY_VARIABLE}`,
      ExitCode.Refused,
    );
  }
  return createClient({ address, token });
}

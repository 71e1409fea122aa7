/** Checks whether a compatible portal responds at an address. */
import type { ConnectionState } from '#bridge/connection.ts';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { CONTRACT_VERSION, CONTRACT_VERSION_HEADER } from '#shared/contract/headers.ts';
import { PageSettings, portalSettings } from '#shared/contract/settings.ts';
import { say } from './language.ts';
import type { Net } from './ports.ts';

export const Greeting = Type.Object({
  settings: PageSettings,
  /** Origins of pages that the portal shows in frames. */
  frameOrigins: Type.Array(Type.String()),
});
export type Greeting = Static<typeof Greeting>;

/** Why a server cannot be used now, as text for the user. */
export class ServerProblem extends Error {
  readonly state: Exclude<ConnectionState, 'online'>;

  constructor(message: string, state: ServerProblem['state'], cause?: unknown) {
    super(message, { cause });
    this.state = state;
  }
}

const HANDSHAKE_TIMEOUT_MS = 15_000;

/**
 * @param address as returned by readServerAddress. Throws a ServerProblem if nothing responds, if it is not a portal,
 * or if its version is incompatible.
 */
export async function greetServer(net: Net, address: string, timeoutMs = HANDSHAKE_TIMEOUT_MS): Promise<Greeting> {
  const response = await ask(net, address, timeoutMs);
  const version = Number(response.headers.get(CONTRACT_VERSION_HEADER) ?? Number.NaN);
  if (Number.isInteger(version) && version !== CONTRACT_VERSION) {
    throw new ServerProblem(say(versionText(version)), 'updateNeeded');
  }
  const answer = (await response.json().catch(() => null)) as { result?: unknown } | null;
  const settings = answer?.result;
  if (!response.ok || !Number.isInteger(version) || !Value.Check(PageSettings, settings)) {
    const text = say('The server at {address} is not a Runsheet portal that this program supports', { address });
    throw new ServerProblem(text, 'unreachable');
  }
  return { settings, frameOrigins: frameOriginsOf(response.headers.get('content-security-policy') ?? '') };
}

async function ask(net: Net, address: string, timeoutMs: number): Promise<Response> {
  try {
    return await net.fetch(address + portalSettings.path.slice(1), {
      method: 'GET',
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    throw new ServerProblem(networkProblem(error, address), isWithoutNetwork(error) ? 'offline' : 'unreachable', error);
  }
}

const versionText = (version: number): string =>
  version > CONTRACT_VERSION
    ? 'Update required: the portal is newer than this program. Please install the matching version of the program'
    : 'Update required: the portal is older than this program. Please ask its administrator to update it, or install the matching version of the program';

const PROBLEMS: [RegExp, string][] = [
  [
    /ERR_CERT_DATE_INVALID|CERT_HAS_EXPIRED/,
    'The certificate of the server has expired, or the clock of this computer is wrong',
  ],
  [/ERR_CERT_COMMON_NAME_INVALID|ALTNAME_INVALID/, 'The certificate of the server is for another name'],
  [
    /ERR_CERT_AUTHORITY_INVALID|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/,
    'This computer does not trust the authority that issued the certificate of the server. If your company issues its own certificates, its root certificate must be installed on this computer',
  ],
  [/ERR_CERT_REVOKED/, 'The certificate of the server was revoked'],
  [/ERR_CERT|ERR_SSL|ERR_TLS|EPROTO/, 'An encrypted connection to the server could not be established'],
  [
    /ERR_NAME_NOT_RESOLVED|ENOTFOUND|EAI_AGAIN/,
    'No server of this name was found. Please check the address and the connection',
  ],
  [/ERR_INTERNET_DISCONNECTED|ENETUNREACH/, 'This computer is not connected to a network'],
  [/ERR_CONNECTION_REFUSED|ECONNREFUSED/, 'The server responds, but there is no portal at this address'],
  [/ERR_PROXY|ERR_TUNNEL/, 'The proxy of this network blocked the request'],
  [/ERR_UNSAFE_PORT/, 'The port of this address is not used for web pages'],
  [/TIMED_OUT|TIMEOUT|Timeout|AbortError|ABORTED/, 'The server did not answer in time'],
  [/redirect/i, 'The address leads to another one. Please enter the one that it leads to'],
];

/** Returns the meaning of a failed call as text. @param error an error of Chromium's network stack or of Node */
export function networkProblem(error: unknown, address: string): string {
  const text = textsOf(error).join(' ');
  const known = PROBLEMS.find(([pattern]) => pattern.test(text))?.[1];
  return `${say(known ?? 'The server could not be reached')} (${address})`;
}

const isWithoutNetwork = (error: unknown): boolean =>
  /ERR_INTERNET_DISCONNECTED|ENETUNREACH|ENETDOWN/.test(textsOf(error).join(' '));

function textsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  const { code = '' } = error as { code?: string };
  return [error.name, error.message, code, ...(error.cause === undefined ? [] : textsOf(error.cause))];
}

/**
 * Extracts frame origins from the content security policy of a response; entries that are not plain origins are
 * skipped.
 */
export function frameOriginsOf(policy: string): string[] {
  const directive = policy
    .split(';')
    .map((part) => part.trim().split(/\s+/))
    .find(([name]) => name === 'frame-src');
  return (directive ?? []).slice(1).filter((source) => /^https?:\/\/[a-z0-9.\-[\]:]+$/i.test(source));
}

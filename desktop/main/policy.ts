/** The administrator's policy for all users of a computer, in a file that only an administrator can write. */
import { readFile } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { readServerAddress } from './server-address.ts';

const PolicyFile = Type.Object(
  {
    version: Type.Literal(1),
    /** Addresses of portals that every user has in the list. */
    servers: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), { maxItems: 50 })),
    /** True, or absent, if users may add other servers. */
    otherServers: Type.Optional(Type.Boolean()),
    /** True, or absent, if programs on this computer may request a session. */
    handOff: Type.Optional(Type.Boolean()),
    /** The address of a folder with dictionaries, or 'none' to disable spell checking; if absent, each user decides. */
    dictionaries: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
  },
  { additionalProperties: false },
);

export interface Policy {
  /** As returned by readServerAddress. */
  servers: string[];
  otherServers: boolean;
  handOff: boolean;
  /** As returned by readServerAddress, or 'none'. */
  dictionaries?: string;
}

export const NO_POLICY: Policy = { servers: [], otherServers: true, handOff: true };
export const NOT_ALLOWED = 'Your administrator does not allow this server';

/** Returns the path of the file on this system. */
export function policyPath(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string {
  if (platform === 'win32') return win32.join(env['ProgramFiles'] ?? 'C:\\Program Files', 'Runsheet', 'policy.json');
  if (platform === 'darwin') return '/Library/Application Support/Runsheet/policy.json';
  return posix.join('/etc/runsheet', 'policy.json');
}

/**
 * Throws with a text for the administrator if the file exists but is invalid: a typing error must not allow what the
 * file forbids.
 */
export async function loadPolicy(path: string): Promise<Policy> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return NO_POLICY;
    throw new Error(`The policy ${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  return policyOf(text, path);
}

function policyOf(text: string, path: string): Policy {
  const content = parse(text, path);
  if (!Value.Check(PolicyFile, content)) {
    const [first] = Value.Errors(PolicyFile, content);
    throw new Error(`The policy ${path} is not valid: ${first?.instancePath ?? ''} ${first?.message ?? ''}`);
  }
  const { servers = [], otherServers = true, handOff = true, dictionaries } = content as Static<typeof PolicyFile>;
  try {
    const folder =
      dictionaries === undefined || dictionaries === 'none' ? dictionaries : readServerAddress(dictionaries);
    return { servers: servers.map(readServerAddress), otherServers, handOff, dictionaries: folder };
  } catch (error) {
    throw new Error(`The policy ${path} names a server wrongly: ${(error as Error).message}`, { cause: error });
  }
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`The policy ${path} is no JSON: ${(error as Error).message}`, { cause: error });
  }
}

export const isAllowed = ({ servers, otherServers }: Policy, address: string): boolean =>
  otherServers || servers.includes(address);

/**
 * The token of an account. Pages get a handle in its place, which is worth nothing outside this program; the token lies in the keychain,
 * or in memory alone where there is none.
 */
import { randomBytes } from 'node:crypto';
import type { Secrets } from './ports.ts';

export interface SessionTokens {
  /** Keeps a token that the server has just given, and answers the handle that stands for it. */
  keep(token: string): Promise<string>;
  /** Null for what is no handle, or one whose token is gone. */
  tokenOf(handle: string): string | null;
  /** The newest; null where nobody is signed in. */
  current(): string | null;
  forget(): Promise<void>;
  /** Why the token is forgotten when the program ends; '' where it is kept. */
  problem(): string;
}

const HANDLE = /^handle-[A-Za-z0-9_-]{32}$/;
/** A window may still call with the one before while another has renewed it. */
const REMEMBERED = 4;

/** @param name of the item in the keychain */
export async function loadSessionTokens(secrets: Secrets, name: string): Promise<SessionTokens> {
  const held = new Map<string, string>();
  let problem = '';
  const attempt = async <T>(work: () => Promise<T>): Promise<T | null> => {
    try {
      const result = await work();
      problem = '';
      return result;
    } catch (error) {
      problem = (error as Error).message;
      return null;
    }
  };
  const kept = readItem(await attempt(() => secrets.get(name)));
  if (kept) held.set(kept.handle, kept.token);
  return {
    keep: async (token) => {
      const handle = `handle-${randomBytes(24).toString('base64url')}`;
      held.set(handle, token);
      for (const old of [...held.keys()].slice(0, -REMEMBERED)) held.delete(old);
      await attempt(() => secrets.set(name, JSON.stringify({ handle, token })));
      return handle;
    },
    tokenOf: (handle) => (HANDLE.test(handle) ? (held.get(handle) ?? null) : null),
    current: () => [...held.values()].pop() ?? null,
    forget: async () => {
      held.clear();
      await attempt(() => secrets.remove(name));
    },
    problem: () => problem,
  };
}

function readItem(text: string | null): { handle: string; token: string } | null {
  if (text === null) return null;
  try {
    const { handle, token } = JSON.parse(text) as Record<string, unknown>;
    return typeof handle === 'string' && HANDLE.test(handle) && typeof token === 'string' ? { handle, token } : null;
  } catch {
    return null;
  }
}

/**
 * The token of an account. Pages get a handle in its place, which is worthless outside this program. The token is in
 * the keychain, or only in memory if there is none.
 */
import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Secrets } from './ports.ts';

export interface SessionTokens {
  /**
   * Stores a token received from the server and returns the handle that represents it.
   * @param how isRenewed is true if it is the same session as before: after a restart, its earlier handles remain valid
   * too
   */
  store(token: string, how?: { isRenewed: boolean }): Promise<string>;
  /** Returns null for unknown handles and for handles whose token no longer exists. */
  tokenOf(handle: string): string | null;
  /** The newest token; null while nobody is signed in. */
  current(): string | null;
  forget(): Promise<void>;
  /** Why the token will be discarded when the program ends; '' if it is stored. */
  problem(): string;
}

const HANDLE = /^handle-[A-Za-z0-9_-]{32}$/;
/** Number of handles remembered, because one window may still use the previous handle after another has renewed it. */
const REMEMBERED = 4;

/** @param name name of the item in the keychain */
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
  const stored = readItem(await attempt(() => secrets.get(name)));
  // Chromium writes page storage with a delay: a page of a killed program starts with its earlier handle.
  let handles = stored ? [...stored.earlier, stored.handle] : [];
  for (const handle of handles) held.set(handle, stored!.token);
  return {
    store: async (token, { isRenewed } = { isRenewed: false }) => {
      const handle = `handle-${randomBytes(24).toString('base64url')}`;
      held.set(handle, token);
      for (const old of [...held.keys()].slice(0, -REMEMBERED)) held.delete(old);
      const earlier = isRenewed ? handles.slice(1 - REMEMBERED) : [];
      handles = [...earlier, handle];
      await attempt(() => secrets.set(name, JSON.stringify({ handle, token, earlier })));
      return handle;
    },
    tokenOf: (handle) => (HANDLE.test(handle) ? (held.get(handle) ?? null) : null),
    current: () => [...held.values()].pop() ?? null,
    forget: async () => {
      held.clear();
      handles = [];
      await attempt(() => secrets.remove(name));
    },
    problem: () => problem,
  };
}

const Handle = Type.String({ pattern: HANDLE.source });
/** Format of the keychain item. Items written by older versions contain no earlier handles. */
const Item = Type.Object({ handle: Handle, token: Type.String(), earlier: Type.Optional(Type.Array(Handle)) });

function readItem(text: string | null): { handle: string; token: string; earlier: string[] } | null {
  if (text === null) return null;
  try {
    const item: unknown = JSON.parse(text);
    return Value.Check(Item, item) ? { ...item, earlier: item.earlier ?? [] } : null;
  } catch {
    return null;
  }
}

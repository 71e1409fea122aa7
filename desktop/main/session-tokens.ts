/**
 * The token of an account. Pages get a handle in its place, which is worth nothing outside this program; the token lies in the keychain,
 * or in memory alone where there is none.
 */
import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Secrets } from './ports.ts';

export interface SessionTokens {
  /**
   * Keeps a token that the server has just given, and answers the handle that stands for it.
   * @param how isRenewed where it is the same session as before: after a restart the handles before stand for it, too
   */
  keep(token: string, how?: { isRenewed: boolean }): Promise<string>;
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
  // Chromium writes what pages store some time later: one that was killed before begins with the handle that it had.
  let handles = kept ? [...kept.earlier, kept.handle] : [];
  for (const handle of handles) held.set(handle, kept!.token);
  return {
    keep: async (token, { isRenewed } = { isRenewed: false }) => {
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
/** Of the keychain. One that an older program has written knows no earlier handles. */
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

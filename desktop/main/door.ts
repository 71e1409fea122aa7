/**
 * Receives messages from pages. Each is accepted only from the page it is intended for, from its main frame, and if it
 * matches its schema.
 */
import { Value } from 'typebox/value';
import { MESSAGES, type Handlers, type MessageName, type PageHost } from '#bridge/messages.ts';
import type { Log } from './ports.ts';
import { SCHEME } from './portal-protocol.ts';

export interface Sender<Caller> {
  /** The window; null if it does not belong to this program. */
  caller: Caller | null;
  /** Address of the sending frame. */
  url: string;
  isMainFrame: boolean;
}

/** Rejects every invalid message without executing anything; the error tells the page nothing more. */
export type Door<Caller> = (name: string, sender: Sender<Caller>, args: unknown[]) => Promise<unknown>;

export function createDoor<Caller>(handlers: Handlers<Caller>, log: Log): Door<Caller> {
  return async (name, { caller, url, isMainFrame }, args) => {
    const message = Object.hasOwn(MESSAGES, name) ? MESSAGES[name as MessageName] : null;
    const isRight = message && caller && isMainFrame && isPage(url, message.from) && Value.Check(message.args, args);
    if (!isRight) {
      log(`refused the message ${name} of ${url}`);
      throw new Error('refused');
    }
    try {
      const handler = handlers[name as MessageName] as (caller: Caller, ...args: unknown[]) => unknown;
      return await handler(caller, ...args);
    } catch (error) {
      log(`the message ${name} failed`, error);
      throw new Error('failed', { cause: error });
    }
  };
}

/** Compares only protocol and host, because URLs with a custom scheme have no origin. */
export function isPage(url: string, host: PageHost): boolean {
  try {
    const parsed = new URL(url);
    return parsed.protocol === `${SCHEME}:` && parsed.host === host;
  } catch {
    return false;
  }
}

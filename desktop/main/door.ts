/** Takes messages of pages: each only from the page it is meant for, from its main frame, and in the shape that its schema says. */
import { Value } from 'typebox/value';
import { MESSAGES, type Handlers, type MessageName, type PageHost } from '#bridge/messages.ts';
import type { Log } from './ports.ts';
import { SCHEME } from './portal-protocol.ts';

export interface Sender<Caller> {
  /** The window; null where it is none of ours. */
  caller: Caller | null;
  /** Of the frame that sent. */
  url: string;
  isMainFrame: boolean;
}

/** Rejects, with nothing done, whatever is not as it must be; what the page is told says no more than that. */
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

/** By protocol and host alone: a URL of a scheme of ours has no origin. */
export function isPage(url: string, host: PageHost): boolean {
  try {
    const parsed = new URL(url);
    return parsed.protocol === `${SCHEME}:` && parsed.host === host;
  } catch {
    return false;
  }
}

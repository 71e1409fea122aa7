/** Checks whether something can be sent to a URL while the person who entered it can still correct it. */
import { once } from 'node:events';
import { RequestFilteringHttpAgent } from 'request-filtering-agent';
import { EVERYWHERE, HTTPS_ONLY, lateText, PRIVATE_ADDRESS, reasonOf } from './post-json.ts';

export interface AddressIssue {
  /** Message for people. */
  text: string;
  /**
   * True if the settings forbid the address, so nothing is ever sent there. Otherwise the receiver may only be
   * unavailable now.
   */
  isRefused: boolean;
}

/** Private addresses that may be reached, and the time limit in milliseconds. */
export interface TryOptions {
  allowed: readonly string[];
  timeLimit?: number;
}

const TRY_LIMIT_MS = 3000;

/** Connects to an address by the rules of `postJson`, and sends nothing. Returns null if it succeeds. */
export async function tryAddress(url: string, { allowed, timeLimit = TRY_LIMIT_MS }: TryOptions) {
  const { protocol, hostname, port } = new URL(url);
  const isPlain = protocol === 'http:';
  const agent = new RequestFilteringHttpAgent({
    allowIPAddressList: [...allowed],
    ...(isPlain ? { denyIPAddressList: EVERYWHERE } : {}),
  });
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const late = AbortSignal.timeout(timeLimit);
  const socket = agent.createConnection({ host, port: Number(port || (isPlain ? 80 : 443)) });
  try {
    await once(socket, 'connect', { signal: late });
    return null;
  } catch (error) {
    const text = late.aborted ? lateText(timeLimit) : reasonOf(error as NodeJS.ErrnoException);
    return { text, isRefused: text === PRIVATE_ADDRESS || text === HTTPS_ONLY } satisfies AddressIssue;
  } finally {
    socket.destroy();
    agent.destroy();
  }
}

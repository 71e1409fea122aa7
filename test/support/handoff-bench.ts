/**
 * A desktop client from which other programs request a session. Its windows, its clock and its connection to the portal
 * are simulated.
 */
import type { AccountPortal } from '#main/account-portal.ts';
import { loadAccounts } from '#main/accounts.ts';
import type { ClientWindow } from '#main/client-windows.ts';
import { listenForHandoffs, type HandoffListener } from '#main/handoff-listener.ts';
import { HANDOFF_FILE, type HandoffRequest } from '#main/handoff-request.ts';
import { createSessionHandoffs, type SessionHandoffs } from '#main/session-handoffs.ts';
import { ServerProblem } from '#main/handshake.ts';
import { createFiles } from '#main/node-files.ts';
import { systemClock } from '#main/ports.ts';

type PlayedWindow = ClientWindow & { urls: string[] };

export interface HandoffBench {
  /** The folder in which the client publishes the address of its listener. */
  folder: string;
  windows: PlayedWindow[];
  sessionHandoffs: SessionHandoffs;
  listener: HandoffListener;
  /** Requests received by the listener. */
  asked: HandoffRequest[];
  /** True if the portal is unreachable. */
  isAway: boolean;
  /** Milliseconds. */
  clockAhead: number;
  open(portal: AccountPortal | null, url: string): PlayedWindow;
  /** Starts the client with an account on a portal. */
  begin(address: string): Promise<void>;
  close(): void;
}

export function createHandoffBench(folder: string): HandoffBench {
  const open = (portal: AccountPortal | null, url: string): PlayedWindow => {
    const window: PlayedWindow = {
      portal,
      urls: [url],
      load: (to) => void window.urls.push(to),
      focus: () => undefined,
      close: () => void (bench.windows = bench.windows.filter((one) => one !== window)),
      isShowing: () => false,
      publish: () => undefined,
      drag: () => undefined,
    };
    bench.windows.push(window);
    return window;
  };

  async function begin(address: string): Promise<void> {
    const files = createFiles(bench.folder);
    const accounts = await loadAccounts(files);
    const portal = { account: await accounts.add(address, 'Runsheet') } as AccountPortal;
    bench.sessionHandoffs = createSessionHandoffs({
      accounts,
      windows: { list: () => bench.windows, open },
      clock: { ...systemClock, now: () => Date.now() + bench.clockAhead },
      log: () => undefined,
      portalOf: async () => {
        if (bench.isAway) throw new ServerProblem('The server could not be reached', 'unreachable');
        return portal;
      },
    });
    bench.listener = await listenForHandoffs(async (one) => {
      bench.asked.push(one);
      return bench.sessionHandoffs.show(one);
    });
    await files.write(HANDOFF_FILE, JSON.stringify(bench.listener.endpoint));
  }

  // begin() adds the listener and the session handoffs.
  const bench = { folder, open, begin } as HandoffBench;
  const close = (): void => bench.listener?.close();
  return Object.assign(bench, { windows: [], asked: [], isAway: false, clockAhead: 0, close });
}

/** A connection to a server that a test can cut. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Way {
  address: string;
  /** Closes all connections and refuses new ones, which makes the server unreachable. */
  cut(): Promise<void>;
  /** Accepts connections again at the same address. */
  restore(): Promise<void>;
  /** Refuses connections permanently and releases the port. */
  close(): Promise<void>;
  /** If false, requests for event streams get no response until it is true again. */
  letEventsPass(pass: boolean): void;
  /** Returns the number of open event streams. */
  streams(): number;
  /**
   * Calls `act` once at the next POST of a path: before it is forwarded, once the server has answered it but before the
   * response is forwarded, or right after the response was forwarded.
   */
  atPost(path: string, point: ActPoint, act: () => void): void;
  /**
   * Handles the next POST of a path instead of the server, which does not receive it. `act` gets the connection once
   * its first bytes have arrived.
   */
  takeOver(path: string, act: (socket: Socket) => void): TakenOver;
  /** If true, the server appears to have another contract version. */
  pretendOther(isOther: boolean): void;
}

export interface TakenOver {
  started: Promise<Socket>;
  /** Resolves once the connection has ended, from either side. */
  closed: Promise<void>;
}

export type ActPoint = 'before' | 'unanswered' | 'answered';

/** Has the same length, which leaves the other bytes of a response in place. */
const withOtherContract = (chunk: Buffer): Buffer =>
  Buffer.from(
    chunk.toString('latin1').replace(/(x-contract-version: \d*)(\d)/i, (_all, head: string, last: string) => {
      return head + String((Number(last) + 1) % 10);
    }),
    'latin1',
  );

export async function wayTo(address: string): Promise<Way> {
  const { port: target, pathname } = new URL(address);
  const basePath = pathname.replace(/\/$/, '');
  const sockets = new Set<Socket>();
  const streams = new Set<Socket>();
  const held: (() => void)[] = [];
  let eventsPass = true;
  let isOther = false;
  let watched: { path: string; point: ActPoint; act: () => void } | null = null;
  let wanted: { path: string; take: (socket: Socket) => void } | null = null;
  /** Acts once; returns true if this was the moment. */
  const actAt = (point: ActPoint): boolean => {
    if (watched?.point !== point) return false;
    const { act } = watched;
    watched = null;
    act();
    return true;
  };
  const make = () =>
    createServer((socket) => {
      const other = connect(Number(target), '127.0.0.1');
      for (const [one, next] of [
        [socket, other],
        [other, socket],
      ] as const) {
        sockets.add(one);
        one.on('error', () => next.destroy());
        one.on('close', () => {
          sockets.delete(one);
          streams.delete(one);
          next.destroy();
        });
      }
      let isWatched = false;
      let isTakenOver = false;
      other.on('end', () => socket.end());
      other.on('data', (chunk: Buffer) => {
        if (isWatched && actAt('unanswered')) return;
        socket.write(isOther ? withOtherContract(chunk) : chunk);
        if (isWatched) actAt('answered');
      });
      socket.on('data', (chunk: Buffer) => {
        if (isTakenOver) return;
        const head = chunk.toString('latin1', 0, 200);
        isTakenOver = wanted !== null && head.startsWith(`POST ${basePath}${wanted.path} `);
        if (isTakenOver) {
          const { take } = wanted!;
          wanted = null;
          return take(socket);
        }
        isWatched ||= watched !== null && head.startsWith(`POST ${basePath}${watched.path} `);
        if (isWatched && actAt('before')) return;
        const isStream = head.startsWith(`GET ${basePath}/api/events`);
        if (isStream) streams.add(socket);
        else streams.delete(socket);
        if (eventsPass || !isStream) other.write(chunk);
        else held.push(() => other.write(chunk));
      });
    });
  const { port, release } = await holdPort();
  let server = make();
  const cut = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const restore = async (): Promise<void> => {
    server = make().listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await restore();
  return {
    address: `http://127.0.0.1:${port}${basePath}`,
    cut,
    restore,
    close: async () => {
      await cut();
      release();
    },
    streams: () => streams.size,
    atPost: (path, point, act) => (watched = { path, point, act }),
    takeOver: (path, act) => {
      const { promise: started, resolve } = Promise.withResolvers<Socket>();
      const closed = started.then(async (socket) => void (socket.closed || (await once(socket, 'close'))));
      const take = (socket: Socket): void => {
        resolve(socket);
        act(socket);
      };
      wanted = { path, take };
      return { started, closed };
    },
    pretendOther: (other) => (isOther = other),
    letEventsPass: (pass) => {
      eventsPass = pass;
      if (pass) for (const write of held.splice(0)) write();
    },
  };
}

/**
 * Reserves a port of this computer on which a server can listen, stop and listen again, without another program getting
 * it. A connection from the port holds it: Linux never assigns such a port to a program that requests any free port,
 * but allows a server to request it by number.
 */
async function holdPort(): Promise<{ port: number; release: () => void }> {
  const end = createServer().listen(0, '127.0.0.1');
  await once(end, 'listening');
  const { port } = end.address() as AddressInfo;
  const held = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.1', localPort: 0 });
  await once(held, 'connect');
  return {
    port: held.localPort!,
    release: () => {
      held.destroy();
      end.close();
    },
  };
}

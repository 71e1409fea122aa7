/** The way to a server, which a test can cut. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Way {
  address: string;
  /** Closes all connections and refuses new ones: the server is not reached. */
  cut(): Promise<void>;
  /** Accepts connections again, at the same address. */
  restore(): Promise<void>;
  /** Refuses connections for good, and lets the port go. */
  close(): Promise<void>;
  /** Whether streams of events are begun: else what asks for one waits for its answer until they are. */
  letEventsPass(pass: boolean): void;
  /** Streams of events that are open now. */
  streams(): number;
  /**
   * Does something once at the next POST of a path: before it goes on; once the server has answered it, before anybody hears of that; or
   * right after the answer was passed on.
   */
  atPost(path: string, moment: Moment, act: () => void): void;
  /** Answers the next POST of a path in place of the server, which hears nothing of it: `act` gets the connection once its first bytes came. */
  takeOver(path: string, act: (socket: Socket) => void): TakenOver;
  /** Whether the server is one of another contract. */
  pretendOther(isOther: boolean): void;
}

export interface TakenOver {
  begun: Promise<Socket>;
  /** Resolves once the connection has ended, whoever ended it. */
  closed: Promise<void>;
}

export type Moment = 'before' | 'unanswered' | 'answered';

/** Of the same length, so that no other byte of an answer moves. */
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
  let watched: { path: string; moment: Moment; act: () => void } | null = null;
  let wanted: { path: string; take: (socket: Socket) => void } | null = null;
  /** Acts once; answers whether that was the moment. */
  const actAt = (moment: Moment): boolean => {
    if (watched?.moment !== moment) return false;
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
    atPost: (path, moment, act) => (watched = { path, moment, act }),
    takeOver: (path, act) => {
      const { promise: begun, resolve } = Promise.withResolvers<Socket>();
      const closed = begun.then(async (socket) => void (socket.closed || (await once(socket, 'close'))));
      const take = (socket: Socket): void => {
        resolve(socket);
        act(socket);
      };
      wanted = { path, take };
      return { begun, closed };
    },
    pretendOther: (other) => (isOther = other),
    letEventsPass: (pass) => {
      eventsPass = pass;
      if (pass) for (const write of held.splice(0)) write();
    },
  };
}

/**
 * A port of this computer that a server may listen on, stop and listen on again, while no other program is given it: a connection that begins
 * at the port keeps it. Linux gives a program that asks for any free port none at which a socket begins, but lets a server name it.
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

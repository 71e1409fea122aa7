/** The way to a server, which a test can cut. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface Way {
  address: string;
  /** Connections are closed, and no new one is taken: the server is not reached. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Whether streams of events are begun: else what asks for one waits for its answer until they are. */
  letEventsPass(pass: boolean): void;
  /** Streams of events that are open now. */
  streams(): number;
  /**
   * Does something once at the next POST of a path: before it goes on; once the server has answered it, before anybody hears of that; or
   * right after the answer was passed on.
   */
  atPost(path: string, moment: Moment, act: () => void): void;
  /** Whether the server is one of another contract. */
  pretendOther(isOther: boolean): void;
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
  const { port: target } = new URL(address);
  const sockets = new Set<Socket>();
  const streams = new Set<Socket>();
  const held: (() => void)[] = [];
  let eventsPass = true;
  let isOther = false;
  let watched: { path: string; moment: Moment; act: () => void } | null = null;
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
      other.on('end', () => socket.end());
      other.on('data', (chunk: Buffer) => {
        if (isWatched && actAt('unanswered')) return;
        socket.write(isOther ? withOtherContract(chunk) : chunk);
        if (isWatched) actAt('answered');
      });
      socket.on('data', (chunk: Buffer) => {
        const head = chunk.toString('latin1', 0, 200);
        isWatched ||= watched !== null && head.startsWith(`POST ${watched.path} `);
        if (isWatched && actAt('before')) return;
        const isStream = head.startsWith('GET /api/events');
        if (isStream) streams.add(socket);
        else streams.delete(socket);
        if (eventsPass || !isStream) other.write(chunk);
        else held.push(() => other.write(chunk));
      });
    });
  let server = make().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    cut: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    streams: () => streams.size,
    atPost: (path, moment, act) => (watched = { path, moment, act }),
    pretendOther: (other) => (isOther = other),
    letEventsPass: (pass) => {
      eventsPass = pass;
      if (pass) for (const write of held.splice(0)) write();
    },
    mend: async () => {
      server = make().listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
}

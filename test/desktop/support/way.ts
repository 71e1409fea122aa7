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
}

export async function wayTo(address: string): Promise<Way> {
  const { port: target } = new URL(address);
  const sockets = new Set<Socket>();
  const streams = new Set<Socket>();
  const held: (() => void)[] = [];
  let eventsPass = true;
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
      other.pipe(socket);
      socket.on('data', (chunk: Buffer) => {
        const isStream = chunk.toString('latin1').startsWith('GET /api/events');
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

/** What the servers that tests talk to have in common: where they listen, and how they stop. */
import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

export interface Peer {
  /** On this machine alone, on a port that the system chose. */
  url: string;
  stop: () => Promise<void>;
}

export interface Listening {
  port: number;
  /** Ends all connections. */
  hangUp: () => void;
  /** Ends all connections and listens no more. May be called twice. */
  stop: () => Promise<void>;
}

/** Listens on a free port of this machine, or on one where a server has listened before. */
export async function listen(server: Server, wantedPort = 0): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(wantedPort, '127.0.0.1');
  await once(server, 'listening');
  const hangUp = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    hangUp,
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A connection that stays open would keep the server from closing.
      hangUp();
      await closed;
    },
  };
}

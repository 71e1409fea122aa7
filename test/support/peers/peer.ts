/** Common behaviour of the servers that tests communicate with: where they listen, and how they stop. */
import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

export interface Peer {
  /** Only on this machine, on a port chosen by the system. */
  url: string;
  stop: () => Promise<void>;
}

export interface Listening {
  port: number;
  /** Closes all connections. */
  hangUp: () => void;
  /** Closes all connections and stops listening. May be called twice. */
  stop: () => Promise<void>;
}

/** Listens on a free port of this machine, or on a port where a server listened before. */
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
      // An open connection would keep the server from closing.
      hangUp();
      await closed;
    },
  };
}

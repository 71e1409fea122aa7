/** A way to a SQL Server on which the packets that clients send are seen. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** [MS-TDS] 2.2.3.1: the type, the status, and the length with these eight bytes. */
const HEADER = 8;
const LENGTH_AT = 2;
/** [MS-TDS] 2.2.3.1.1, 2.2.1.7: a header without data, which asks the server to stop what it does. */
export const ATTENTION = 0x06;
export const END_OF_MESSAGE = 0x01;

export interface SentPacket {
  type: number;
  status: number;
  length: number;
  /** Of performance.now(). */
  time: number;
}

export interface WatchedWay {
  /** The same database, by this way. */
  urlOf(url: string): string;
  readonly sent: SentPacket[];
  /** Ends all connections of now, as a network does that breaks; later ones go through. */
  cut(): void;
  close(): Promise<void>;
}

/** Gives everything on as it is. The URL must not ask for encryption. */
export async function watchPackets(serverUrl: string): Promise<WatchedWay> {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const sent: SentPacket[] = [];
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const proxy = createServer((client) => {
    const server = connect(Number(port || 1433), hostname);
    const note = packetReader((packet) => sent.push(packet));
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => [client, server].forEach((one) => one.destroy()));
    }
    client.on('data', (chunk) => {
      note(chunk);
      server.write(chunk);
    });
    server.on('data', (chunk) => client.write(chunk));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    urlOf: (url) => {
      const way = new URL(url);
      way.hostname = '127.0.0.1';
      way.port = String((proxy.address() as AddressInfo).port);
      return way.href;
    },
    sent,
    cut,
    close: async () => {
      cut();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

/** Takes a connection's bytes as they come, wherever they are cut. */
function packetReader(onPacket: (packet: SentPacket) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= HEADER) {
      const length = rest.readUInt16BE(LENGTH_AT);
      if (rest.length < length) return;
      onPacket({ type: rest[0]!, status: rest[1]!, length, time: performance.now() });
      rest = rest.subarray(length);
    }
  };
}

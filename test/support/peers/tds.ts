/** Proxies between a client and a SQL Server. The URL of the server must not request encryption. */
import { connect, createServer, type Socket } from 'node:net';
import { listen, type Listening, type Peer } from './peer.ts';

/** [MS-TDS] 2.2.3.1: type, status and length, including these eight bytes. */
const HEADER = 8;
const STATUS_AT = 1;
const LENGTH_AT = 2;
/** [MS-TDS] 2.2.3.1.1, 2.2.1.7: a header without data that requests the server to cancel its current work. */
export const ATTENTION = 0x06;
export const END_OF_MESSAGE = 0x01;
/**
 * Offsets before the text of an ERROR token: length of the text (2), level (1), state (1), number (4), length (2), type
 * (1). [MS-TDS] 2.2.7.10
 */
const LEVEL_BEFORE = 3;
const LENGTH_BEFORE = 10;
const TYPE_BEFORE = 11;
const ERROR_TOKEN = 0xaa;
const DEFAULT_PORT = 1433;

export interface SentPacket {
  type: number;
  status: number;
  length: number;
  /** Value of performance.now(). */
  time: number;
}

export interface WatchedTdsPeer extends Peer {
  /** Returns the URL of the same database through the proxy. */
  urlOf: (url: string) => string;
  readonly sent: SentPacket[];
  /** Closes all current connections like a network failure; later ones are forwarded. */
  cut: () => void;
}

/** Records the packets that clients send and forwards everything unchanged. */
export async function startWatchedTdsPeer(serverUrl: string): Promise<WatchedTdsPeer> {
  const sent: SentPacket[] = [];
  const { port, hangUp, stop } = await startProxy(serverUrl, (client, server) => {
    const read = packetReader((packet) => sent.push(packet));
    client.on('data', (chunk) => {
      read(chunk);
      server.write(chunk);
    });
    server.on('data', (chunk) => client.write(chunk));
  });
  const urlOf = (url: string): string => withPort(url, port);
  return { url: urlOf(serverUrl), urlOf, sent, cut: hangUp, stop };
}

/**
 * Forwards everything unchanged until an error with this text occurs. The error then gets the level, and the connection
 * is closed after the complete response ('after') or directly after the error ('within'). For compatible servers of
 * other vendors, whose errors never have a level that ends the connection.
 */
export async function startCuttingTdsPeer(
  serverUrl: string,
  text: string,
  { level, where }: { level: number; where: 'after' | 'within' },
): Promise<Peer> {
  const { port, stop } = await startProxy(serverUrl, (client, server) => {
    client.on('data', (chunk) => server.write(chunk));
    server.on('data', (chunk) => {
      const at = chunk.indexOf(Buffer.from(text, 'utf16le'));
      if (at < TYPE_BEFORE || chunk[at - TYPE_BEFORE] !== ERROR_TOKEN) return void client.write(chunk);
      chunk[at - LEVEL_BEFORE] = level;
      client.end(where === 'after' ? chunk : endingWithError(chunk, at));
    });
  });
  return { url: withPort(serverUrl, port), stop };
}

async function startProxy(serverUrl: string, passOn: (client: Socket, server: Socket) => void): Promise<Listening> {
  const { hostname, port } = new URL(serverUrl);
  const proxy = createServer((client) => {
    const server = connect(Number(port || DEFAULT_PORT), hostname);
    for (const socket of [client, server]) {
      socket.on('error', () => undefined);
      socket.on('close', () => [client, server].forEach((one) => one.destroy()));
    }
    passOn(client, server);
  });
  return listen(proxy);
}

function withPort(serverUrl: string, port: number): string {
  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return url.href;
}

/** Reassembles packets from chunks of any size. */
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

/** Returns the packet up to the end of the error with this text, marked as followed by others. */
function endingWithError(packet: Buffer, at: number): Buffer {
  const end = at - LENGTH_BEFORE + 2 + packet.readUInt16LE(at - LENGTH_BEFORE);
  const cut = packet.subarray(0, end);
  cut[STATUS_AT] = 0;
  cut.writeUInt16BE(end, LENGTH_AT);
  return cut;
}

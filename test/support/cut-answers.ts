/** A way to a SQL Server on which errors become ones that end the connection, as servers of other makers have none of that level. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Of an ERROR token before its text: length of the text (2), level (1), state (1), number (4), length (2), type (1). [MS-TDS] 2.2.7.10 */
const LEVEL_BEFORE = 3;
const LENGTH_BEFORE = 10;
const TYPE_BEFORE = 11;
const ERROR_TOKEN = 0xaa;
/** [MS-TDS] 2.2.3.1 */
const STATUS_AT = 1;
const PACKET_LENGTH_AT = 2;

export interface CutAnswers {
  url: string;
  close(): Promise<void>;
}

/**
 * Gives everything on as it is, until an error has this text: it gets the level, and the connection is closed behind the answer ('after'), or
 * behind the error ('within'). The URL must not ask for encryption.
 */
export async function cutAnswers(
  serverUrl: string,
  text: string,
  { level, where }: { level: number; where: 'after' | 'within' },
): Promise<CutAnswers> {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(Number(port || 1433), hostname);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => [client, server].forEach((one) => one.destroy()));
    }
    client.on('data', (chunk) => server.write(chunk));
    server.on('data', (chunk) => {
      const at = chunk.indexOf(Buffer.from(text, 'utf16le'));
      if (at < TYPE_BEFORE || chunk[at - TYPE_BEFORE] !== ERROR_TOKEN) return void client.write(chunk);
      chunk[at - LEVEL_BEFORE] = level;
      client.end(where === 'after' ? chunk : endingWithError(chunk, at));
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String((proxy.address() as AddressInfo).port);
  return {
    url: url.href,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

/** The packet up to the end of the error whose text stands there, as one that others follow. */
function endingWithError(packet: Buffer, at: number): Buffer {
  const end = at - LENGTH_BEFORE + 2 + packet.readUInt16LE(at - LENGTH_BEFORE);
  const cut = packet.subarray(0, end);
  cut[STATUS_AT] = 0;
  cut.writeUInt16BE(end, PACKET_LENGTH_AT);
  return cut;
}

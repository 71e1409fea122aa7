/**
 * Sessions of programs of earlier revisions of the protocol, in the memory of this server. Their ids say, signed, whose
 * they are and which program began them: so any server can answer their calls, and only a question needs the server that
 * asked it.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport, type AuthInfo, type McpServer } from '@modelcontextprotocol/server';
import type { Caller } from '../caller.ts';

interface Session {
  userId: number;
  usedAt: number;
  transport: WebStandardStreamableHTTPServerTransport;
}

export interface PassedOptions {
  authInfo: AuthInfo;
  parsedBody: unknown;
}

const MAX_SESSIONS = 1_000;
const MAX_SESSIONS_OF_USER = 50;
const MAX_IDLE_MS = 3_600_000;

export class ProtocolSessions {
  /** In the order of use. */
  readonly #sessions = new Map<string, Session>();
  readonly #key: Buffer;
  readonly #createServer: (client: string) => McpServer;

  constructor(secretKey: string, createServer: (client: string) => McpServer) {
    this.#key = createHmac('sha256', secretKey).update('sessions of assistants').digest();
    this.#createServer = createServer;
  }

  /** Answers the first request of a session. */
  async begin(request: Request, options: PassedOptions, caller: Caller, client: string): Promise<Response> {
    const userId = caller.person.UserId;
    const random = randomBytes(12).toString('base64url');
    const name = Buffer.from(client).toString('base64url');
    const id = `${name}.${random}.${this.#tagOf(caller, name, random)}`;
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => {
        this.#makeRoom(userId);
        this.#sessions.set(id, { userId, usedAt: performance.now(), transport });
      },
    });
    await this.#createServer(client).connect(transport);
    return transport.handleRequest(request, options);
  }

  /** Returns the session if it is the caller's and in the memory of this server. */
  find(id: string, { person }: Caller): WebStandardStreamableHTTPServerTransport | undefined {
    const session = this.#sessions.get(id);
    if (session?.userId !== person.UserId) return undefined;
    this.#sessions.delete(id);
    this.#sessions.set(id, { ...session, usedAt: performance.now() });
    return session.transport;
  }

  /** Returns the name of the program that began a session of the caller, on whatever server. */
  clientOf(id: string, caller: Caller): string | undefined {
    const [name = '', random = '', tag = ''] = id.split('.');
    const right = Buffer.from(this.#tagOf(caller, name, random));
    const given = Buffer.from(tag);
    if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
    return Buffer.from(name, 'base64url').toString();
  }

  close(): void {
    for (const id of this.#sessions.keys()) this.#drop(id);
  }

  #tagOf({ person }: Caller, name: string, random: string): string {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([person.UserId, name, random]))
      .digest('base64url');
  }

  #drop(id: string): void {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    void session?.transport.close();
  }

  /** Drops idle sessions, and the longest unused ones above the limits. */
  #makeRoom(userId: number): void {
    const idle = performance.now() - MAX_IDLE_MS;
    for (const [id, { usedAt }] of this.#sessions) if (usedAt < idle) this.#drop(id);
    const own = [...this.#sessions].filter(([, session]) => session.userId === userId);
    if (own.length >= MAX_SESSIONS_OF_USER) this.#drop(own[0]![0]);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size >= MAX_SESSIONS && oldest !== undefined) this.#drop(oldest);
  }
}

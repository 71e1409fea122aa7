/**
 * Answers requests of the Model Context Protocol. Those of the revision of 2026 are independent of each other. Programs
 * of earlier revisions begin a session, in which they can be asked something.
 */
import {
  createMcpHandler,
  isInitializeRequest,
  isJSONRPCRequest,
  isLegacyRequest,
  legacyStatelessFallback,
  type RequestId,
} from '@modelcontextprotocol/server';
import type { Log } from '#server/base/log.ts';
import type { Caller } from '../caller.ts';
import { cleanText } from '../clean-text.ts';
import { authInfoOf, createMcpServer, MAX_CLIENT_NAME, type ServerDeps } from './mcp-server.ts';
import { ProtocolSessions } from './sessions.ts';

export interface ProtocolService {
  /** @param body the parsed body of the request */
  answer(request: Request, body: unknown, caller: Caller): Promise<Response>;
  /** Ends calls that wait for an answer of a person. */
  close(): void;
}

export interface ProtocolDeps extends ServerDeps {
  log: Log;
  secretKey: string;
}

const SESSION_HEADER = 'mcp-session-id';

export function createProtocolService(deps: ProtocolDeps): ProtocolService {
  const onerror = (error: Error): void => deps.log.debug({ err: error }, 'a request of an assistant was refused');
  const modern = createMcpHandler(() => createMcpServer(deps), { legacy: 'reject', onerror });
  const sessions = new ProtocolSessions(deps.secretKey, (client) => createMcpServer(deps, client));
  const once = (client?: string) => legacyStatelessFallback(() => createMcpServer(deps, client), onerror);
  return {
    answer: async (request, body, caller) => {
      // Nothing is published that a program could listen to, and a stream would stay open for ever.
      if (isJSONRPCRequest(body) && body.method === 'subscriptions/listen') {
        return refused(404, body.id, { code: -32_601, message: 'Method not found' });
      }
      const options = { authInfo: authInfoOf(caller), parsedBody: body };
      if (!(await isLegacyRequest(request, body))) return modern.fetch(request, options);
      const id = request.headers.get(SESSION_HEADER);
      if (id === null) {
        if (!isInitializeRequest(body)) return once()(request, options);
        return sessions.begin(request, options, caller, cleanText(body.params.clientInfo.name, MAX_CLIENT_NAME));
      }
      const known = sessions.find(id, caller);
      if (known) return known.handleRequest(request, options);
      const client = sessions.clientOf(id, caller);
      // Another server, or this one before it was started again, began the session.
      return client === undefined ? sessionNotFound() : once(client)(request, options);
    },
    close: () => sessions.close(),
  };
}

/** The program then begins another session. */
const sessionNotFound = (): Response => refused(404, null, { code: -32_001, message: 'Session not found' });

const refused = (status: number, id: RequestId | null, error: { code: number; message: string }): Response =>
  Response.json({ jsonrpc: '2.0', id, error }, { status });

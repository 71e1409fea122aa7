/** A portal that admits assistants, and clients of the protocol by its official SDK. */
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport, type ClientOptions, type Tool } from '@modelcontextprotocol/client';
import type { Config } from '#server/config/config-schema.ts';
import type { ApiKey } from '#shared/contract/users.ts';
import { startStepPortal, type StepPortal } from './step-portal.ts';
import { bearer, createUser, signIn, type TestUser } from './users.ts';

export const PORTAL = 'https://portal.example.org';
export const MCP = `${PORTAL}/mcp`;

export interface AssistantPortal extends StepPortal {
  /** fetch that reaches the portal by its configured address. */
  fetch: typeof fetch;
  /** Creates an API key of a user. */
  keyOf(user: TestUser, key?: object): Promise<string>;
  /** Connects a client. Without `options`, it speaks the newest revision and cannot ask the person. */
  connect(token: string, options?: ClientOptions & { isEarly?: boolean; name?: string }): Promise<Client>;
  /** Offers an activity to assistants. */
  offer(activityId: number, IsOffered?: boolean): Promise<void>;
}

export async function startAssistantPortal(settings: Partial<Config> = {}): Promise<AssistantPortal> {
  const portal = await startStepPortal(() => ({}), { assistants: 'signIn', publicUrl: PORTAL, ...settings });
  const { http } = portal.app;
  await http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.server.address() as AddressInfo;
  const own: typeof fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    return fetch(url.replace(PORTAL, `http://127.0.0.1:${port}`), init);
  };
  const administrator = await createUser(portal.app, { isUserAdmin: true });
  const admin = bearer(await signIn(portal.app, administrator));
  return {
    ...portal,
    fetch: own,
    keyOf: async (user, key = {}) => {
      const url = `/api/users/apikeys/create/${user.UserId}`;
      const answer = await http.inject({ method: 'POST', url, headers: admin, payload: { Name: 'Assistant', ...key } });
      return answer.json<{ result: ApiKey }>().result.Key;
    },
    connect: async (token, { isEarly = false, name = 'Test assistant', ...options } = {}) => {
      const mode = isEarly ? ('legacy' as const) : ('auto' as const);
      const client = new Client({ name, version: '1.0.0' }, { versionNegotiation: { mode }, ...options });
      const requestInit = { headers: bearer(token) };
      await client.connect(new StreamableHTTPClientTransport(new URL(MCP), { requestInit, fetch: own }));
      return client;
    },
    offer: async (Id, IsOffered = true) => {
      const { status } = await portal.call('POST', '/api/assistants/offer', { Id, IsOffered }, portal.author);
      if (status !== 200) throw new Error(`the activity cannot be offered: ${status}`);
    },
  };
}

/** A client that answers questions to the person. */
export function askedClient(
  answer: (question: { message: string }) => {
    action: 'accept' | 'decline';
    content?: Record<string, string | boolean>;
  },
): (client: Client) => Client {
  return (client) => {
    client.setRequestHandler('elicitation/create', async ({ params }) => answer({ message: params.message }));
    return client;
  };
}

/** Calls a tool and returns its structured result, or the text of a refusal. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Record<string, unknown> & { refusal?: string }> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  const [first] = content;
  if (isError) return { refusal: first?.type === 'text' ? first.text : '' };
  return structuredContent as Record<string, unknown>;
}

export const toolNamed = async (client: Client, name: string): Promise<Tool | undefined> =>
  (await client.listTools()).tools.find((tool) => tool.name === name);

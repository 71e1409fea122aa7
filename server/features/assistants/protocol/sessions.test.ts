import { McpServer } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import type { Caller } from '../caller.ts';
import { authInfoOf } from './mcp-server.ts';
import { ProtocolSessions } from './sessions.ts';

const callerOf = (UserId: number): Caller => ({
  person: {
    UserId,
    UserName: '',
    FirstName: '',
    LastName: '',
    Source: 'Local',
    IsUserAdmin: false,
    SessionId: '',
  },
  grantedTo: null,
  mayWriteUnasked: false,
  address: '127.0.0.1',
});

const newServer = (): McpServer => new McpServer({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
const onServer = (secret = 'a secret'): ProtocolSessions => new ProtocolSessions(secret, newServer);

async function begin(sessions: ProtocolSessions, caller: Caller): Promise<string> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const parsedBody = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const request = new Request('http://portal.invalid/mcp', { method: 'POST', headers });
  const response = await sessions.begin(request, { authInfo: authInfoOf(caller), parsedBody }, caller, 'Inspector');
  await response.body?.cancel();
  return response.headers.get('mcp-session-id')!;
}

test('a session is its user’s, and another server knows which program began it', async () => {
  const [first, second, foreign] = [onServer(), onServer(), onServer('another secret')];
  const [own, other] = [callerOf(1), callerOf(2)];
  const id = await begin(first, own);
  expect(first.find(id, own)).toBeDefined();
  expect(first.find(id, other)).toBeUndefined();
  expect([second.find(id, own), second.clientOf(id, own)]).toEqual([undefined, 'Inspector']);
  expect([second.clientOf(id, other), foreign.clientOf(id, own)]).toEqual([undefined, undefined]);
  const [, random, tag] = id.split('.');
  const renamed = `${Buffer.from('Somebody').toString('base64url')}.${random}.${tag}`;
  expect(second.clientOf(renamed, own)).toBeUndefined();
  for (const sessions of [first, second, foreign]) sessions.close();
});

test('a user who begins many sessions loses the longest unused one', async () => {
  const sessions = onServer();
  const ids: string[] = [];
  for (let count = 0; count < 50; count += 1) ids.push(await begin(sessions, callerOf(1)));
  const other = await begin(sessions, callerOf(2));
  expect(sessions.find(ids[0]!, callerOf(1))).toBeDefined();
  ids.push(await begin(sessions, callerOf(1)));
  expect(sessions.find(ids[1]!, callerOf(1))).toBeUndefined();
  expect(sessions.find(ids[0]!, callerOf(1))).toBeDefined();
  expect(sessions.find(other, callerOf(2))).toBeDefined();
  sessions.close();
});

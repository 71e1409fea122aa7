/** Calls of a program that asks people for access, as an assistant does. */
import { createHash, randomBytes } from 'node:crypto';
import type { OAuthTokens } from '@modelcontextprotocol/client';
import { MCP, type AssistantPortal } from './assistant-portal.ts';
import { bearer, type TestUser } from './users.ts';

export const CALLBACK = 'http://127.0.0.1:33418/callback';

type Person = TestUser & { headers: { authorization: string } };

export async function post(portal: AssistantPortal, url: string, payload: object | string, headers: object = {}) {
  const form = typeof payload === 'string' ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
  const answer = await portal.app.http.inject({ method: 'POST', url, headers: { ...form, ...headers }, payload });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

export const register = (portal: AssistantPortal, metadata: object = {}) =>
  post(portal, '/oauth/register', { client_name: 'Helper', redirect_uris: [CALLBACK], ...metadata });

function challenge() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, code_challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Registers a client and gets a code by the person's consent. */
export async function consent(
  portal: AssistantPortal,
  person: Person,
  changes: object = {},
  Scope: string | null = 'activities',
) {
  const { client_id } = (await register(portal)).body as { client_id: string };
  const { verifier, code_challenge } = challenge();
  const Request = {
    response_type: 'code',
    client_id,
    redirect_uri: CALLBACK,
    code_challenge,
    code_challenge_method: 'S256',
    resource: MCP,
    state: 'x y',
    ...changes,
  };
  const answer = await post(portal, '/api/assistants/consent', { Request, Scope }, person.headers);
  const address = answer.status === 200 ? new URL(answer.body.result.Address) : null;
  return { client_id, verifier, answer, address, code: address?.searchParams.get('code') ?? '' };
}

export const exchange = (portal: AssistantPortal, form: Record<string, string>) =>
  post(portal, '/oauth/token', new URLSearchParams(form).toString());

export const codeForm = ({
  client_id,
  verifier,
  code,
}: Awaited<ReturnType<typeof consent>>): Record<string, string> => ({
  grant_type: 'authorization_code',
  client_id,
  code,
  code_verifier: verifier,
  redirect_uri: CALLBACK,
  resource: MCP,
});

export async function tokensOf(portal: AssistantPortal, person: Person, Scope = 'activities') {
  const given = await consent(portal, person, {}, Scope);
  const { body } = await exchange(portal, codeForm(given));
  return { ...(body as OAuthTokens & { refresh_token: string }), client_id: given.client_id };
}

export const isIn = async (portal: AssistantPortal, token: string): Promise<number> => {
  const payload = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const headers = { accept: 'application/json, text/event-stream', ...bearer(token) };
  return (await portal.app.http.inject({ method: 'POST', url: '/mcp', headers, payload })).statusCode;
};

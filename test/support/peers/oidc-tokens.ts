/**
 * An OpenID Connect provider that signs any ID token a test requires. It has no pages; the test sends the code itself.
 */
import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { listen, type Peer } from './peer.ts';

export interface OidcTokenPeer extends Peer {
  /** Claims of the next ID tokens in addition to iss, aud and sub. */
  claims: Record<string, unknown>;
}

export async function startOidcTokenPeer(clientId: string): Promise<OidcTokenPeer> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const idToken = (): string => {
    const payload = { iss: peer.url, aud: clientId, sub: 'linus', ...peer.claims };
    const signed = `${encode({ alg: 'RS256', kid: 'one' })}.${encode(payload)}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
  };
  const answers: Record<string, () => object> = {
    '/.well-known/openid-configuration': () => ({
      issuer: peer.url,
      authorization_endpoint: `${peer.url}/auth`,
      token_endpoint: `${peer.url}/token`,
      jwks_uri: `${peer.url}/jwks`,
    }),
    '/jwks': () => ({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] }),
    '/token': () => ({ access_token: 'a', token_type: 'Bearer', refresh_token: 'r', id_token: idToken() }),
  };
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? '']?.();
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}));
  });
  const { port, stop } = await listen(server);
  const peer: OidcTokenPeer = { url: `http://localhost:${port}`, claims: {}, stop };
  return peer;
}

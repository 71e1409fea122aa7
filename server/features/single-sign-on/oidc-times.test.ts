/** Tests the times in ID tokens, as from a provider with a wrong clock or a thief with its key. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOidcTokenPeer, type OidcTokenPeer } from '#test/support/peers/oidc-tokens.ts';
import { createOidcProvider } from './oidc-client.ts';
import type { SsoAnswer } from './sso-provider.ts';

const BASE = 'https://portal.example.org/';
let peer: OidcTokenPeer;
beforeAll(async () => {
  peer = await startOidcTokenPeer('runsheet');
});
afterAll(() => peer.stop());

const provider = () =>
  createOidcProvider({ key: 'cloud', loginButtonLabel: 'x', issuer: peer.url, clientId: 'runsheet' }, 'a secret');

/** Finishes a sign-in with a token that was issued at the given offset from now and practically never expires. */
async function finish(seconds: number, more: Record<string, unknown> = {}): Promise<SsoAnswer> {
  const one = provider();
  const { proof } = await one.begin(BASE, 'the-state', false);
  const iat = Math.floor(Date.now() / 1000) + seconds;
  peer.claims = { nonce: proof['nonce'], iat, exp: iat + 100_000_000, ...more };
  return one.finish(BASE, { query: 'code=c&state=the-state', form: {} } as never, proof);
}

test.each([-60, 0, 240])('an ID token of %i seconds from now is taken: clocks differ a little', async (seconds) => {
  expect((await finish(seconds)).identity.subject).toBe('linus');
});

test.each([360, 86_400, 3_000_000_000])('an ID token of %i seconds from now is refused', async (seconds) => {
  await expect(finish(seconds)).rejects.toThrow('the ID token is issued in the future');
});

test('so is one that comes with a renewal', async () => {
  const { logoutContext } = await finish(0);
  peer.claims = { ...peer.claims, iat: Math.floor(Date.now() / 1000) + 86_400 };
  await expect(provider().renew(logoutContext)).rejects.toThrow('the ID token is issued in the future');
});

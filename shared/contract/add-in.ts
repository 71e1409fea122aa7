/**
 * A signed-in browser gives a program on the same computer its own session. The browser passes on a single-use
 * code that only the program holding the proof key can redeem. Source: specification of security, sections 1, 2 and 4;
 * RFC 8252, RFC 7636.
 */
import { Type, type Static } from 'typebox';
import { closed, get, nullable, post, publicAccess, signedIn } from './endpoint.ts';
import { SsoTokenResponse } from './sso.ts';

/** SHA-256, base64url: 43 characters. */
const Challenge = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' });
const ClientKind = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9._-]{0,39}$' });

export const addInCode = post('/api/addin/code', {
  access: signedIn,
  sessionOnly: true,
  summary: 'Create a sign-in code for a program on this computer, bound to the hash of its proof key',
  parts: {
    body: closed({
      ClientKind,
      Challenge,
      /** True if the user copies the code by hand: it is then valid for five minutes instead of one. */
      IsCopied: Type.Boolean(),
    }),
    result: closed({ Code: Type.String() }),
  },
});

export const addInToken = post('/api/addin/token', {
  access: publicAccess,
  summary: 'Exchange a sign-in code for a session, once; requires the proof key whose hash was sent for the code',
  parts: {
    body: closed({
      Code: Type.String({ minLength: 1, maxLength: 100 }),
      Verifier: Type.String({ pattern: '^[A-Za-z0-9._~-]{43,128}$' }),
    }),
    result: closed({ ...SsoTokenResponse.properties }),
  },
});
export type AddInTokenResponse = Static<typeof SsoTokenResponse>;

/** Contents of the page about the add-in for Excel. */
export const excelAddIn = get('/api/addin/excel', {
  access: signedIn,
  summary: 'Get whether the Excel add-in is available, and the address of its manifest',
  parts: {
    result: closed({
      /** Address of the manifest, for administrators who roll out the add-in. Null if the add-in cannot be offered. */
      ManifestAddress: nullable(Type.String()),
      /** Why the add-in cannot be offered; '' if it can. */
      Problem: Type.String(),
    }),
  },
});

/**
 * Public because Microsoft's administration and file shares fetch it without a session. It reveals only the portal's
 * address.
 */
export const excelManifest = get('/api/addin/excel/manifest.xml', {
  access: publicAccess,
  summary: 'Get the manifest of the Excel add-in',
  transport: 'file',
  parts: {},
});

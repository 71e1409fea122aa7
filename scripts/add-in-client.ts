/**
 * `npm run add-in-client -- PORTAL`: signs in as an add-in of a spreadsheet program does, without asking for a password. It shows how
 * such a program is written; docs/add-ins.md explains it.
 *
 * The program makes a proof key, listens on this computer, and opens the portal in the browser. Whoever is signed in there agrees, and
 * the browser brings a code. The portal gives a session for it only to the one who knows the proof key.
 */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A session of the program's own. */
export interface AddInSession {
  access_token: string;
  expiry: string;
  UserName: string;
}

export interface AddInLogin {
  /** To be opened in the browser. */
  address: string;
  /** The session, once the browser has brought a code; rejects where the portal refuses it. */
  session: Promise<AddInSession>;
  /** The same with a code that was copied by hand. */
  redeem(code: string): Promise<AddInSession>;
  close(): void;
}

const base64url = (bytes: Buffer): string => bytes.toString('base64url');

/** @param portal address of the portal, with its base path. @param kind what the program calls itself, such as 'excel'. */
export async function beginAddInLogin(portal: string, kind: string): Promise<AddInLogin> {
  const home = new URL(portal.replace(/\/*$/, '/'));
  const verifier = base64url(randomBytes(32));
  const challenge = base64url(createHash('sha256').update(verifier).digest());
  const state = base64url(randomBytes(16));

  const redeem = (code: string): Promise<AddInSession> => redeemCode(home, code, verifier);
  const { promise: session, resolve, reject } = Promise.withResolvers<AddInSession>();
  const hand = async (code: string, response: ServerResponse): Promise<void> => {
    try {
      const found = await redeem(code);
      leadBack(response, home, kind, 'success');
      resolve(found);
    } catch (error) {
      leadBack(response, home, kind, 'failure');
      reject(error as Error);
    }
  };
  // Only this computer can reach it: never 0.0.0.0.
  const server = createServer((request, response) => {
    const code = codeOf(request, state);
    if (code === null) {
      response.writeHead(404).end();
      return;
    }
    void hand(code, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const address = new URL(home);
  address.search = new URLSearchParams({ c: `${kind}:${port}`, challenge, state }).toString();
  const close = (): void => {
    server.close();
    server.closeIdleConnections();
  };
  return { address: address.href, session, redeem, close };
}

/** The code of a call that the portal's page made; null for any other call, such as those of other pages that try ports. */
function codeOf({ method, url = '/', headers }: IncomingMessage, state: string): string | null {
  // A name that leads to 127.0.0.1 must not pass for it.
  if (method !== 'GET' || !/^127\.0\.0\.1:\d+$/.test(headers.host ?? '')) return null;
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  return pathname === '/' && searchParams.get('state') === state ? searchParams.get('code') : null;
}

/** Back to the portal, which says how it ended and closes the window; the code does not stay in the browser's history. */
function leadBack(response: ServerResponse, home: URL, kind: string, result: 'success' | 'failure'): void {
  const location = new URL(home);
  location.search = new URLSearchParams({ c: kind, result }).toString();
  response.writeHead(303, { location: location.href, 'cache-control': 'no-store', connection: 'close' }).end();
}

async function redeemCode(home: URL, code: string, verifier: string): Promise<AddInSession> {
  const answer = await fetch(new URL('api/addin/token', home), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ Code: code.trim(), Verifier: verifier }),
  });
  const { result, message } = (await answer.json()) as { result?: AddInSession; message?: string };
  if (!result) throw new Error(message ?? `the portal answered ${answer.status}`);
  return result;
}

if (import.meta.main) {
  const [portal] = process.argv.slice(2);
  if (portal === undefined || !URL.canParse(portal)) {
    console.error('usage: add-in-client PORTAL, such as http://127.0.0.1:8080');
    process.exitCode = 2;
  } else {
    const login = await beginAddInLogin(portal, 'excel');
    console.log(`Open this address in your browser:\n\n  ${login.address}\n\nor paste the code that it shows here:`);
    const copied = once(process.stdin, 'data').then(([text]) => login.redeem(String(text)));
    try {
      const { UserName, expiry } = await Promise.race([login.session, copied]);
      console.log(`Signed in as ${UserName}; the token is good until ${expiry}.`);
    } catch (error) {
      console.error((error as Error).message);
      process.exitCode = 1;
    }
    login.close();
    process.stdin.destroy();
  }
}

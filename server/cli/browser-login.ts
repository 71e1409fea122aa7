/**
 * Signs a program of the person's in without asking for a password, as docs/add-ins.md explains: it makes a proof key, listens on this computer,
 * and asks the desktop client, where it runs, or else opens the portal in the browser. Whoever is signed in there agrees, and it brings a
 * code. The portal gives a session for it only to the one who knows the proof key. It uses nothing of Runsheet, to be read as an example.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';

/** A session of the program's own. */
export interface AddInSession {
  access_token: string;
  expiry: string;
  UserName: string;
}

export interface AddInLogin {
  /** To be opened in the browser. */
  address: string;
  /** Has the desktop client of this person ask for the session instead; answers why not, '' where it asks. @param folder of the client's data */
  askDesktopClient(folder?: string): Promise<string>;
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
  // One for each way: what the client was told must be of no use to a program that took the client's port after it.
  const states = { browser: base64url(randomBytes(16)), client: base64url(randomBytes(16)) };
  const accepted = new Set([states.browser]);

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
  const server = createServer((call, response) => {
    const code = codeOf(call, accepted);
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
  address.search = new URLSearchParams({ c: `${kind}:${port}`, challenge, state: states.browser }).toString();
  const askDesktopClient = async (folder = desktopFolder()): Promise<string> => {
    const asked = { Portal: home.href, ClientKind: kind, Port: port, Challenge: challenge, State: states.client };
    const problem = await askClient(folder, asked);
    if (problem === '') accepted.add(states.client);
    return problem;
  };
  const close = (): void => {
    server.close();
    server.closeIdleConnections();
  };
  return { address: address.href, askDesktopClient, session, redeem, close };
}

/** Where the desktop client keeps its data. */
function desktopFolder(): string {
  const { APPDATA, XDG_CONFIG_HOME } = process.env;
  if (process.platform === 'win32') return join(APPDATA ?? '', 'Runsheet');
  if (process.platform === 'darwin') return join(homedir(), 'Library/Application Support/Runsheet');
  return join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'Runsheet');
}

/** Answers why the client does not ask the person; '' where it does. */
async function askClient(folder: string, asked: { State: string }): Promise<string> {
  const place = clientPlace(folder);
  if (place === null) return 'the desktop client does not run';
  const body = JSON.stringify(asked);
  try {
    const proof = proofOf(place.secret, `request\n${body}`);
    const answer = await post(place.port, body, { 'content-type': 'application/json', 'x-runsheet-proof': proof });
    const expected = proofOf(place.secret, `answer\n${asked.State}\n${answer.text}`);
    if (!isSame(answer.proof, expected)) return 'what answers is not the desktop client';
    const { Shown, Message } = JSON.parse(answer.text) as { Shown: boolean; Message: string };
    return Shown ? '' : Message;
  } catch {
    return 'the desktop client cannot be reached';
  }
}

/** Not by fetch, which says Sec-Fetch-Mode as a page's would, and is refused. */
async function post(port: number, body: string, headers: Record<string, string>) {
  const signal = AbortSignal.timeout(20_000);
  const call = request({ host: '127.0.0.1', port, path: '/handoff', method: 'POST', headers, signal }).end(body);
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  return { text: await readText(response), proof: String(response.headers['x-runsheet-proof'] ?? '') };
}

/** Of a client that runs, in a file that nobody else can have written or read; null where there is none. */
function clientPlace(folder: string): { port: number; secret: string } | null {
  try {
    const file = join(folder, 'handoff.json');
    const { uid, mode } = statSync(file);
    if (process.platform !== 'win32' && (uid !== process.getuid?.() || (mode & 0o077) !== 0)) return null;
    const { port, pid, secret } = JSON.parse(readFileSync(file, 'utf8')) as {
      port: number;
      pid: number;
      secret: string;
    };
    // Throws where the process is gone, as after a crash.
    process.kill(pid, 0);
    return { port, secret };
  } catch {
    return null;
  }
}

const proofOf = (secret: string, text: string): string =>
  base64url(createHmac('sha256', secret).update(text, 'utf8').digest());

const isSame = (given: string, expected: string): boolean =>
  given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));

/** The code of a call that the portal's page made; null for any other call, such as those of other pages that try ports. */
function codeOf({ method, url = '/', headers }: IncomingMessage, states: ReadonlySet<string>): string | null {
  // A name that leads to 127.0.0.1 must not pass for it.
  if (method !== 'GET' || !/^127\.0\.0\.1:\d+$/.test(headers.host ?? '')) return null;
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  return pathname === '/' && states.has(searchParams.get('state') ?? '') ? searchParams.get('code') : null;
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

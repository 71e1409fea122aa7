/**
 * Signs in a person's program without asking for a password, as docs/add-ins.md explains. It creates a proof key and
 * listens on this computer. It then asks the desktop client, if it is running, or opens the portal in the browser. The
 * person who is signed in there agrees, and the program receives a code. The portal exchanges the code for a session
 * only if the program knows the proof key. This file depends on nothing of Runsheet, so it can serve as an example.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';

/** A session for the program. */
export interface AddInSession {
  access_token: string;
  expiry: string;
  UserName: string;
}

export interface AddInLogin {
  /** URL to open in the browser. */
  address: string;
  /**
   * Makes the person's desktop client ask for the session instead; returns '' if it does, otherwise why not. @param
   * folder data folder of the client
   */
  askDesktopClient(folder?: string): Promise<string>;
  /** Resolves to the session once the browser has sent a code; rejects if the portal refuses it. */
  session: Promise<AddInSession>;
  /** The same with a code that the person copied by hand. */
  redeem(code: string): Promise<AddInSession>;
  close(): void;
}

const base64url = (bytes: Buffer): string => bytes.toString('base64url');

/** @param portal URL of the portal, with its base path. @param kind name of the program, such as 'excel' */
export async function beginAddInLogin(portal: string, kind: string): Promise<AddInLogin> {
  const home = new URL(portal.replace(/\/*$/, '/'));
  const verifier = base64url(randomBytes(32));
  const challenge = base64url(createHash('sha256').update(verifier).digest());
  // One state per way: the client's state must be useless to a program that later takes over the client's port.
  const states = { browser: base64url(randomBytes(16)), client: base64url(randomBytes(16)) };
  const accepted = new Set([states.browser]);

  const redeem = (code: string): Promise<AddInSession> => redeemCode(home, code, verifier);
  const { promise: session, resolve, reject } = Promise.withResolvers<AddInSession>();
  const redeemAndRespond = async (code: string, response: ServerResponse): Promise<void> => {
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
    void redeemAndRespond(code, response);
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

/** Returns the data folder of the desktop client. */
function desktopFolder(): string {
  const { APPDATA, XDG_CONFIG_HOME } = process.env;
  if (process.platform === 'win32') return join(APPDATA ?? '', 'Runsheet');
  if (process.platform === 'darwin') return join(homedir(), 'Library/Application Support/Runsheet');
  return join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'Runsheet');
}

/** Returns '' if the client asks the person; otherwise why not. */
async function askClient(folder: string, asked: { State: string }): Promise<string> {
  const endpoint = readClientEndpoint(folder);
  if (endpoint === null) return 'the desktop client is not running';
  const body = JSON.stringify(asked);
  try {
    const proof = proofOf(endpoint.secret, `request\n${body}`);
    const answer = await post(endpoint.port, body, { 'content-type': 'application/json', 'x-runsheet-proof': proof });
    const expected = proofOf(endpoint.secret, `answer\n${asked.State}\n${answer.text}`);
    if (!isSame(answer.proof, expected)) return 'the responding program is not the desktop client';
    const { Shown, Message } = JSON.parse(answer.text) as { Shown: boolean; Message: string };
    return Shown ? '' : Message;
  } catch {
    return 'the desktop client cannot be reached';
  }
}

/** Does not use fetch, which sends Sec-Fetch-Mode like a page and would be refused. */
async function post(port: number, body: string, headers: Record<string, string>) {
  const signal = AbortSignal.timeout(20_000);
  const call = request({ host: '127.0.0.1', port, path: '/handoff', method: 'POST', headers, signal }).end(body);
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  return { text: await readText(response), proof: String(response.headers['x-runsheet-proof'] ?? '') };
}

/**
 * Reads where a running client listens, from a file that nobody else can have written or read; null if there is none.
 */
function readClientEndpoint(folder: string): { port: number; secret: string } | null {
  try {
    const file = join(folder, 'handoff.json');
    const { uid, mode } = statSync(file);
    if (process.platform !== 'win32' && (uid !== process.getuid?.() || (mode & 0o077) !== 0)) return null;
    const { port, pid, secret } = JSON.parse(readFileSync(file, 'utf8')) as {
      port: number;
      pid: number;
      secret: string;
    };
    // Throws if the process no longer exists, as after a crash.
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

/** Returns the code from a call by the portal's page; null for any other call, such as from pages that probe ports. */
function codeOf({ method, url = '/', headers }: IncomingMessage, states: ReadonlySet<string>): string | null {
  // A host name that resolves to 127.0.0.1 must not be accepted (DNS rebinding).
  if (method !== 'GET' || !/^127\.0\.0\.1:\d+$/.test(headers.host ?? '')) return null;
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  return pathname === '/' && states.has(searchParams.get('state') ?? '') ? searchParams.get('code') : null;
}

/**
 * Redirects back to the portal, which shows the outcome and closes the window; the code thus does not stay in the
 * browser's history.
 */
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

/** Programs of the same person, played by the client of scripts/, ask the running desktop client for a session of a real server. */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/support/app.ts';
import { signedInUser } from '#test/support/users.ts';
import { beginAddInLogin, type AddInLogin } from '#server/cli/browser-login.ts';
import type { AccountPortal } from './account-portal.ts';
import { loadAccounts, type Account } from './accounts.ts';
import type { ClientWindow } from './client-windows.ts';
import { bringCode } from './hand-off-delivery.ts';
import { listenForHandOffs, type HandOffListener } from './hand-off-listener.ts';
import { HAND_OFF_FILE, requestProof, type HandOffRequest } from './hand-off-request.ts';
import { createHandOffs, type HandOffs } from './hand-offs.ts';
import { ServerProblem } from './handshake.ts';
import { createFiles } from './node-files.ts';
import { systemClock } from './ports.ts';

let folder: string;
let windows: (ClientWindow & { urls: string[] })[];
let handOffs: HandOffs;
let listener: HandOffListener;
let asked: HandOffRequest[];
let isAway: boolean;
let account: Account;
let clockAhead: number;

const playedWindow = (portal: AccountPortal | null, url: string) => {
  const window = {
    portal,
    urls: [url],
    load: (to: string) => void window.urls.push(to),
    focus: () => undefined,
    close: () => void (windows = windows.filter((one) => one !== window)),
    isShowing: () => false,
    tell: () => undefined,
    drag: () => undefined,
  };
  windows.push(window);
  return window;
};

async function begin(address: string): Promise<void> {
  const files = createFiles(folder);
  const accounts = await loadAccounts(files);
  account = await accounts.add(address, 'Runsheet');
  const portal = { account } as AccountPortal;
  handOffs = createHandOffs({
    accounts,
    windows: { list: () => windows, open: playedWindow },
    clock: { ...systemClock, now: () => Date.now() + clockAhead },
    log: () => undefined,
    portalOf: async () => {
      if (isAway) throw new ServerProblem('The server could not be reached', 'unreachable');
      return portal;
    },
  });
  listener = await listenForHandOffs(async (one) => {
    asked.push(one);
    return handOffs.show(one);
  });
  await files.write(HAND_OFF_FILE, JSON.stringify(listener.place));
}

beforeEach(async () => {
  [windows, asked, isAway, clockAhead] = [[], [], false, 0];
  folder = await mkdtemp(join(tmpdir(), 'runsheet-hand-off-'));
});
afterEach(async () => {
  listener.close();
  await rm(folder, { recursive: true, force: true });
});

/** What the page makes of the address that it was opened at, once the person chose Continue. */
const codeAddress = (window: { urls: string[] }, code: string): string => {
  const { searchParams } = new URL(window.urls.at(-1)!);
  const port = /:(\d+)$/.exec(searchParams.get('c')!)![1];
  return `http://127.0.0.1:${port}/?code=${code}&state=${searchParams.get('state')}`;
};

describe('with a server', () => {
  let app: TestApp;
  let address: string;
  let login: AddInLogin;
  beforeAll(async () => {
    app = await testApp();
    address = `${await app.http.listen({ port: 0, host: '127.0.0.1' })}/`;
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    await begin(address);
    login = await beginAddInLogin(address, 'excel');
    login.session.catch(() => undefined);
  });
  afterEach(() => login.close());

  const codeOf = async (window: { urls: string[] }, headers: object): Promise<string> => {
    const Challenge = new URL(window.urls.at(-1)!).searchParams.get('challenge');
    const payload = { ClientKind: 'excel', Challenge, IsCopied: false };
    const url = '/api/addin/code';
    const answer = await app.http.inject({ method: 'POST', url, headers: { ...headers }, payload });
    return answer.json<{ result: { Code: string } }>().result.Code;
  };

  test('the client shows the question in a window, and brings the code; the program gets a session of its own', async () => {
    const user = await signedInUser(app);
    expect(await login.askDesktopClient(folder)).toBe('');
    const [window] = windows;
    expect(window!.urls[0]).toMatch(/^runsheet:\/\/app\/\?c=excel%3A\d+&challenge=/);
    await handOffs.deliver(window!, codeAddress(window!, await codeOf(window!, user.headers)));
    const session = await login.session;
    expect(session.UserName).toBe(user.UserName);
    expect(window!.urls.at(-1)).toBe('runsheet://app/?c=excel&result=success');
    // Neither the file nor what crossed the loopback holds the token.
    expect(JSON.stringify([asked, listener.place, window!.urls])).not.toContain(session.access_token);
  });

  test('a code that the portal refuses is a failure in the window, too', async () => {
    expect(await login.askDesktopClient(folder)).toBe('');
    await handOffs.deliver(windows[0]!, codeAddress(windows[0]!, 'x'.repeat(43)));
    expect(windows[0]!.urls.at(-1)).toBe('runsheet://app/?c=excel&result=failure');
    await expect(login.session).rejects.toThrow('not valid any more');
  });

  test('a program that does not run it, is too old for it or has another account: the browser as before', async () => {
    expect(await login.askDesktopClient(join(folder, 'none'))).toBe('the desktop client does not run');
    isAway = true;
    expect(await login.askDesktopClient(folder)).toBe('The server could not be reached');
    const other = await beginAddInLogin('https://other.example.org', 'excel');
    expect(await other.askDesktopClient(folder)).toBe('The desktop client has no account at this portal');
    other.close();
    expect(windows).toEqual([]);
    // The way by the browser is open still.
    const user = await signedInUser(app);
    const urls = [login.address];
    const code = await codeOf({ urls }, user.headers);
    expect((await fetch(codeAddress({ urls }, code), { redirect: 'manual' })).status).toBe(303);
    expect((await login.session).UserName).toBe(user.UserName);
  });

  test('a file that others could have written or read is not believed, neither one of a process that is gone', async () => {
    await chmod(join(folder, HAND_OFF_FILE), 0o644);
    expect(await login.askDesktopClient(folder)).toBe('the desktop client does not run');
    const place = { ...listener.place, pid: 2 ** 22 - 1 };
    await createFiles(folder).write(HAND_OFF_FILE, JSON.stringify(place));
    expect(await login.askDesktopClient(folder)).toBe('the desktop client does not run');
  });

  test('who took the port of a client that is gone is not believed, and the state that it was told opens nothing', async () => {
    const bodies: string[] = [];
    const answer = async (call: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = await text(call);
      bodies.push(body);
      response.setHeader('x-runsheet-proof', requestProof('guess', body));
      response.end('{"Shown":true,"Message":""}');
    };
    const thief = createServer((call, response) => void answer(call, response)).listen(0, '127.0.0.1');
    await once(thief, 'listening');
    const { port } = thief.address() as AddressInfo;
    await createFiles(folder).write(HAND_OFF_FILE, JSON.stringify({ ...listener.place, port }));
    expect(await login.askDesktopClient(folder)).toBe('what answers is not the desktop client');
    thief.close();
    const told = JSON.parse(bodies[0]!) as HandOffRequest;
    // A code of the thief's own session would sign the program in as the thief.
    const redeemed = await fetch(`http://127.0.0.1:${told.Port}/?code=abc&state=${told.State}`);
    expect(redeemed.status).toBe(404);
  });
});

describe('the window', () => {
  const requestOf = (Port: number, State = 's'.repeat(22)): HandOffRequest => ({
    Portal: 'https://portal.example.org',
    ClientKind: 'excel',
    Port,
    Challenge: 'c'.repeat(43),
    State,
  });
  const failure = 'runsheet://app/?c=excel&result=failure';
  let calls: string[];
  let program: ReturnType<typeof createServer>;
  let port: number;
  beforeEach(async () => {
    await begin('https://portal.example.org/');
    calls = [];
    program = createServer((call, response) => {
      calls.push(call.url ?? '');
      response.writeHead(303, { location: 'file:///etc/passwd?result=success' }).end();
    }).listen(0, '127.0.0.1');
    await once(program, 'listening');
    ({ port } = program.address() as AddressInfo);
  });
  afterEach(() => void program.close());

  test('that nobody asked for brings nothing anywhere', async () => {
    const window = playedWindow(null, 'runsheet://app/');
    await handOffs.deliver(window, `http://127.0.0.1:${port}/?code=abc&state=x`);
    expect([calls, window.urls]).toEqual([[], ['runsheet://app/']]);
  });

  test.each([
    ['another port', (at: string) => at.replace(/:\d+\//, ':22222/')],
    ['another state', (at: string) => `${at}x`],
    ['another path', (at: string) => at.replace('/?', '/x?')],
    ['a code that is none', (at: string) => at.replace('abc', 'x'.repeat(101))],
    ['no code', (at: string) => at.replace('abc', '')],
  ])('brings nothing to %s', async (_what, change) => {
    expect(await handOffs.show(requestOf(port))).toEqual({ Shown: true, Message: '' });
    const [window] = windows;
    await handOffs.deliver(window!, change(codeAddress(window!, 'abc')));
    expect([calls, window!.urls.at(-1)]).toEqual([[], failure]);
  });

  test('brings one code, and leads nowhere that the program says', async () => {
    await handOffs.show(requestOf(port));
    const [window] = windows;
    const url = codeAddress(window!, 'abc');
    await handOffs.deliver(window!, url);
    expect([calls, window!.urls.at(-1)]).toEqual([
      [`/?code=abc&state=${'s'.repeat(22)}`],
      failure.replace('failure', 'success'),
    ]);
    await handOffs.deliver(window!, url);
    expect([calls.length, window!.urls.length]).toEqual([1, 2]);
  });

  test('is the same for a program that asks again, and forgets after a quarter of an hour', async () => {
    await handOffs.show(requestOf(port));
    await handOffs.show(requestOf(port, 't'.repeat(22)));
    expect(windows).toHaveLength(1);
    clockAhead = 16 * 60_000;
    await handOffs.deliver(windows[0]!, codeAddress(windows[0]!, 'abc'));
    expect(calls).toEqual([]);
    windows[0]!.close();
    await handOffs.show(requestOf(port));
    expect(windows).toHaveLength(1);
  });

  test('does not wait for a program that says nothing', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    expect(await bringCode((silent.address() as AddressInfo).port, 'abc', 'x', 200)).toBe('failure');
    silent.closeAllConnections();
    silent.close();
    expect(await bringCode(1, 'abc', 'x')).toBe('failure');
  });
});

describe('the listener', () => {
  const right = JSON.stringify({
    Portal: 'https://portal.example.org',
    ClientKind: 'excel',
    Port: 49_152,
    Challenge: 'c'.repeat(43),
    State: 's'.repeat(22),
  });
  beforeEach(() => begin('https://portal.example.org/'));

  interface Asking {
    body?: string;
    path?: string;
    method?: string;
    headers?: Record<string, string>;
  }
  /** Status, and what is said. */
  async function ask({ body = right, path = '/handoff', method = 'POST', headers = {} }: Asking = {}) {
    const { port, secret } = listener.place;
    const all = { 'x-runsheet-proof': requestProof(secret, body), ...headers };
    const call = request({ host: '127.0.0.1', port, path, method, headers: all }).end(body);
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    return [response.statusCode, await text(response)];
  }
  const shown = [200, '{"Shown":true,"Message":""}'];

  test('is on this computer alone, by a file that the person alone reads, with a secret of each start', async () => {
    const { mode } = await stat(join(folder, HAND_OFF_FILE));
    expect(mode & 0o777).toBe(0o600);
    const second = await listenForHandOffs((one) => handOffs.show(one));
    second.close();
    expect(second.place.secret).not.toBe(listener.place.secret);
    expect(Buffer.from(second.place.secret, 'base64url')).toHaveLength(32);
    expect(await ask()).toEqual(shown);
  });

  test.each<[string, Asking]>([
    ['of a page', { headers: { origin: 'https://evil.example.org' } }],
    ['of a page without a name', { headers: { origin: 'null' } }],
    ['that a browser sent', { headers: { 'sec-fetch-site': 'none' } }],
    ['of a navigation', { headers: { 'sec-fetch-mode': 'navigate' } }],
    ['to a name that leads here', { headers: { host: 'evil.example.org' } }],
    ['to localhost', { headers: { host: 'localhost' } }],
    ['by another method', { method: 'PUT' }],
    ['to another path', { path: '/handoff?x' }],
    ['without a proof', { headers: { 'x-runsheet-proof': '' } }],
    ['with another proof', { headers: { 'x-runsheet-proof': requestProof('guess', right) } }],
    ['that is too large', { body: ' '.repeat(5000) + right }],
  ])('says nothing to a request %s', async (_what, asking) => {
    expect(await ask(asking)).toEqual([404, '']);
    expect(asked).toEqual([]);
    expect(await ask()).toEqual(shown);
  });

  test.each([
    ['no JSON', '{'],
    ['a field too many', right.replace('{', '{"Token":"x",')],
    ['a port of the system', right.replace('49152', '22')],
    ['a kind with a port in it', right.replace('excel', 'excel:80')],
    ['a state that can be guessed', right.replace('s'.repeat(22), 'short')],
  ])('refuses %s of a program that may ask', async (_what, body) => {
    expect(await ask({ body })).toEqual([400, expect.stringContaining('not as it must be')]);
    expect(asked).toEqual([]);
  });

  test('is harmed by nothing that is sent to it', { timeout: 60_000 }, async () => {
    const { port } = listener.place;
    const line = fc.oneof(
      fc.constantFrom('POST /handoff HTTP/1.1', 'GET / HTTP/1.1', 'POST /handoff HTTP/0.9', 'PRI * HTTP/2.0'),
      fc.string({ maxLength: 200 }),
    );
    const header = fc.oneof(
      fc.constantFrom(
        `host: 127.0.0.1:${port}`,
        'content-length: 10',
        'content-length: -1',
        'transfer-encoding: chunked',
        'x-runsheet-proof: x',
        'expect: 100-continue',
        'connection: upgrade',
        'upgrade: websocket',
      ),
      fc.string({ maxLength: 300 }),
    );
    const message = fc
      .tuple(line, fc.array(header, { maxLength: 8 }), fc.uint8Array({ maxLength: 6000 }))
      .map(([first, headers, body]) =>
        Buffer.concat([Buffer.from(`${[first, ...headers].join('\r\n')}\r\n\r\n`), body]),
      );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          message,
          fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
        ),
        async (bytes) => {
          const socket = connect(port, '127.0.0.1').on('error', () => undefined);
          socket.end(bytes);
          await once(socket.resume(), 'close');
          expect(asked).toEqual([]);
        },
      ),
      { numRuns: 400 },
    );
    expect(await ask()).toEqual(shown);
  });
});

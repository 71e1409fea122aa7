/** Programs of the same person, played by the client of scripts/, ask the running desktop client for a session of a real server. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/support/app.ts';
import { handOffBench } from '#test/support/hand-off-bench.ts';
import { signedInUser } from '#test/support/users.ts';
import { beginAddInLogin, type AddInLogin } from '#server/cli/browser-login.ts';
import { bringCode } from './hand-off-delivery.ts';
import { HAND_OFF_FILE, requestProof, type HandOffRequest } from './hand-off-request.ts';
import { createFiles } from './node-files.ts';

const bench = handOffBench();

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
    await bench.begin(address);
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
    expect(await login.askDesktopClient(bench.folder)).toBe('');
    const [window] = bench.windows;
    expect(window!.urls[0]).toMatch(/^runsheet:\/\/app\/\?c=excel%3A\d+&challenge=/);
    await bench.handOffs.deliver(window!, codeAddress(window!, await codeOf(window!, user.headers)));
    const session = await login.session;
    expect(session.UserName).toBe(user.UserName);
    expect(window!.urls.at(-1)).toBe('runsheet://app/?c=excel&result=success');
    // Neither the file nor what crossed the loopback holds the token.
    expect(JSON.stringify([bench.asked, bench.listener.place, window!.urls])).not.toContain(session.access_token);
  });

  test('a code that the portal refuses is a failure in the window, too', async () => {
    expect(await login.askDesktopClient(bench.folder)).toBe('');
    await bench.handOffs.deliver(bench.windows[0]!, codeAddress(bench.windows[0]!, 'x'.repeat(43)));
    expect(bench.windows[0]!.urls.at(-1)).toBe('runsheet://app/?c=excel&result=failure');
    await expect(login.session).rejects.toThrow('not valid any more');
  });

  test('a program that does not run it, is too old for it or has another account: the browser as before', async () => {
    expect(await login.askDesktopClient(join(bench.folder, 'none'))).toBe('the desktop client does not run');
    bench.isAway = true;
    expect(await login.askDesktopClient(bench.folder)).toBe('The server could not be reached');
    const other = await beginAddInLogin('https://other.example.org', 'excel');
    expect(await other.askDesktopClient(bench.folder)).toBe('The desktop client has no account at this portal');
    other.close();
    expect(bench.windows).toEqual([]);
    // The way by the browser is open still.
    const user = await signedInUser(app);
    const urls = [login.address];
    const code = await codeOf({ urls }, user.headers);
    expect((await fetch(codeAddress({ urls }, code), { redirect: 'manual' })).status).toBe(303);
    expect((await login.session).UserName).toBe(user.UserName);
  });

  test('a file that others could have written or read is not believed, neither one of a process that is gone', async () => {
    await chmod(join(bench.folder, HAND_OFF_FILE), 0o644);
    expect(await login.askDesktopClient(bench.folder)).toBe('the desktop client does not run');
    const place = { ...bench.listener.place, pid: 2 ** 22 - 1 };
    await createFiles(bench.folder).write(HAND_OFF_FILE, JSON.stringify(place));
    expect(await login.askDesktopClient(bench.folder)).toBe('the desktop client does not run');
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
    await createFiles(bench.folder).write(HAND_OFF_FILE, JSON.stringify({ ...bench.listener.place, port }));
    expect(await login.askDesktopClient(bench.folder)).toBe('what answers is not the desktop client');
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
    await bench.begin('https://portal.example.org/');
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
    const window = bench.open(null, 'runsheet://app/');
    await bench.handOffs.deliver(window, `http://127.0.0.1:${port}/?code=abc&state=x`);
    expect([calls, window.urls]).toEqual([[], ['runsheet://app/']]);
  });

  test.each([
    ['another port', (at: string) => at.replace(/:\d+\//, ':22222/')],
    ['another state', (at: string) => `${at}x`],
    ['another path', (at: string) => at.replace('/?', '/x?')],
    ['a code that is none', (at: string) => at.replace('abc', 'x'.repeat(101))],
    ['no code', (at: string) => at.replace('abc', '')],
  ])('brings nothing to %s', async (_what, change) => {
    expect(await bench.handOffs.show(requestOf(port))).toEqual({ Shown: true, Message: '' });
    const [window] = bench.windows;
    await bench.handOffs.deliver(window!, change(codeAddress(window!, 'abc')));
    expect([calls, window!.urls.at(-1)]).toEqual([[], failure]);
  });

  test('brings one code, and leads nowhere that the program says', async () => {
    await bench.handOffs.show(requestOf(port));
    const [window] = bench.windows;
    const url = codeAddress(window!, 'abc');
    await bench.handOffs.deliver(window!, url);
    expect([calls, window!.urls.at(-1)]).toEqual([
      [`/?code=abc&state=${'s'.repeat(22)}`],
      failure.replace('failure', 'success'),
    ]);
    await bench.handOffs.deliver(window!, url);
    expect([calls.length, window!.urls.length]).toEqual([1, 2]);
  });

  test('is the same for a program that asks again, and forgets after a quarter of an hour', async () => {
    await bench.handOffs.show(requestOf(port));
    await bench.handOffs.show(requestOf(port, 't'.repeat(22)));
    expect(bench.windows).toHaveLength(1);
    bench.clockAhead = 16 * 60_000;
    await bench.handOffs.deliver(bench.windows[0]!, codeAddress(bench.windows[0]!, 'abc'));
    expect(calls).toEqual([]);
    bench.windows[0]!.close();
    await bench.handOffs.show(requestOf(port));
    expect(bench.windows).toHaveLength(1);
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

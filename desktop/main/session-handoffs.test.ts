/**
 * Programs of the same user, simulated by the client in scripts/, request a session of a real server from the running
 * desktop client.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { test as base } from '#test/support/fixtures/handoff-bench.ts';
import { signedInUser } from '#test/support/users.ts';
import { beginAddInLogin } from '#server/cli/browser-login.ts';
import { bringCode } from './handoff-delivery.ts';
import { HANDOFF_FILE, requestProof, type HandoffRequest } from './handoff-request.ts';
import { createFiles } from './node-files.ts';

/** The address that the page builds from the one it was opened with, after the user chose Continue. */
const codeAddress = (window: { urls: string[] }, code: string): string => {
  const { searchParams } = new URL(window.urls.at(-1)!);
  const port = /:(\d+)$/.exec(searchParams.get('c')!)![1];
  return `http://127.0.0.1:${port}/?code=${code}&state=${searchParams.get('state')}`;
};

const test = base
  .extend('app', { scope: 'file' }, async ({}, { onCleanup }) => {
    const app = await testApp();
    onCleanup(() => app.close());
    return app;
  })
  .extend('address', { scope: 'file' }, async ({ app }) => `${await app.http.listen({ port: 0, host: '127.0.0.1' })}/`)
  .extend(
    'codeOf',
    { scope: 'file' },
    ({ app }) =>
      async (window: { urls: string[] }, headers: object): Promise<string> => {
        const Challenge = new URL(window.urls.at(-1)!).searchParams.get('challenge');
        const payload = { ClientKind: 'excel', Challenge, IsCopied: false };
        const url = '/api/addin/code';
        const answer = await app.http.inject({ method: 'POST', url, headers: { ...headers }, payload });
        return answer.json<{ result: { Code: string } }>().result.Code;
      },
  )
  // A program that signs in to a server where the desktop client has an account.
  .extend('login', async ({ desktopClient, address }, { onCleanup }) => {
    await desktopClient.begin(address);
    const login = await beginAddInLogin(address, 'excel');
    login.session.catch(() => undefined);
    onCleanup(() => login.close());
    return login;
  })
  // A program that waits for a code from a portal that is not running.
  .extend('program', async ({ desktopClient }, { onCleanup }) => {
    await desktopClient.begin('https://portal.example.org/');
    const calls: string[] = [];
    const program = createServer((call, response) => {
      calls.push(call.url ?? '');
      response.writeHead(303, { location: 'file:///etc/passwd?result=success' }).end();
    }).listen(0, '127.0.0.1');
    onCleanup(() => void program.close());
    await once(program, 'listening');
    return { calls, port: (program.address() as AddressInfo).port };
  });

describe('with a server', () => {
  test('the client asks in a window and returns the code; the program gets its own session', async ({
    app,
    desktopClient,
    codeOf,
    login,
  }) => {
    const user = await signedInUser(app);
    expect(await login.askDesktopClient(desktopClient.folder)).toBe('');
    const [window] = desktopClient.windows;
    expect(window!.urls[0]).toMatch(/^runsheet:\/\/app\/\?c=excel%3A\d+&challenge=/);
    await desktopClient.sessionHandoffs.deliver(window!, codeAddress(window!, await codeOf(window!, user.headers)));
    const session = await login.session;
    expect(session.UserName).toBe(user.UserName);
    expect(window!.urls.at(-1)).toBe('runsheet://app/?c=excel&result=success');
    // Neither the file nor the data sent over the loopback interface contains the token.
    expect(JSON.stringify([desktopClient.asked, desktopClient.listener.endpoint, window!.urls])).not.toContain(
      session.access_token,
    );
  });

  test('a code that the portal refuses is a failure in the window, too', async ({ desktopClient, login }) => {
    expect(await login.askDesktopClient(desktopClient.folder)).toBe('');
    await desktopClient.sessionHandoffs.deliver(
      desktopClient.windows[0]!,
      codeAddress(desktopClient.windows[0]!, 'x'.repeat(43)),
    );
    expect(desktopClient.windows[0]!.urls.at(-1)).toBe('runsheet://app/?c=excel&result=failure');
    await expect(login.session).rejects.toThrow('no longer valid');
  });

  test('a program that does not run it, is too old for it or has another account: the browser as before', async ({
    app,
    desktopClient,
    codeOf,
    login,
  }) => {
    expect(await login.askDesktopClient(join(desktopClient.folder, 'none'))).toBe('the desktop client is not running');
    desktopClient.isAway = true;
    expect(await login.askDesktopClient(desktopClient.folder)).toBe('The server could not be reached');
    const other = await beginAddInLogin('https://other.example.org', 'excel');
    expect(await other.askDesktopClient(desktopClient.folder)).toBe('The desktop client has no account at this portal');
    other.close();
    expect(desktopClient.windows).toEqual([]);
    // Signing in through the browser remains possible.
    const user = await signedInUser(app);
    const urls = [login.address];
    const code = await codeOf({ urls }, user.headers);
    expect((await fetch(codeAddress({ urls }, code), { redirect: 'manual' })).status).toBe(303);
    expect((await login.session).UserName).toBe(user.UserName);
  });

  test('a file that others could have written or read is not believed, neither one of a process that is gone', async ({
    desktopClient,
    login,
  }) => {
    await chmod(join(desktopClient.folder, HANDOFF_FILE), 0o644);
    expect(await login.askDesktopClient(desktopClient.folder)).toBe('the desktop client is not running');
    const endpoint = { ...desktopClient.listener.endpoint, pid: 2 ** 22 - 1 };
    await createFiles(desktopClient.folder).write(HANDOFF_FILE, JSON.stringify(endpoint));
    expect(await login.askDesktopClient(desktopClient.folder)).toBe('the desktop client is not running');
  });

  test('a program that took the port of a stopped client is not trusted, and the state it received opens nothing', async ({
    desktopClient,
    login,
  }) => {
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
    await createFiles(desktopClient.folder).write(
      HANDOFF_FILE,
      JSON.stringify({ ...desktopClient.listener.endpoint, port }),
    );
    expect(await login.askDesktopClient(desktopClient.folder)).toBe('the responding program is not the desktop client');
    thief.close();
    const request = JSON.parse(bodies[0]!) as HandoffRequest;
    // A code of the attacker's own session would sign the program in as the attacker.
    const redeemed = await fetch(`http://127.0.0.1:${request.Port}/?code=abc&state=${request.State}`);
    expect(redeemed.status).toBe(404);
  });
});

describe('the window', () => {
  const requestOf = (Port: number, State = 's'.repeat(22)): HandoffRequest => ({
    Portal: 'https://portal.example.org',
    ClientKind: 'excel',
    Port,
    Challenge: 'c'.repeat(43),
    State,
  });
  const failure = 'runsheet://app/?c=excel&result=failure';

  test('that nobody asked for brings nothing anywhere', async ({ desktopClient, program: { calls, port } }) => {
    const window = desktopClient.open(null, 'runsheet://app/');
    await desktopClient.sessionHandoffs.deliver(window, `http://127.0.0.1:${port}/?code=abc&state=x`);
    expect([calls, window.urls]).toEqual([[], ['runsheet://app/']]);
  });

  test.for<[string, (at: string) => string]>([
    ['another port', (at) => at.replace(/:\d+\//, ':22222/')],
    ['another state', (at) => `${at}x`],
    ['another path', (at) => at.replace('/?', '/x?')],
    ['a code that is none', (at) => at.replace('abc', 'x'.repeat(101))],
    ['no code', (at) => at.replace('abc', '')],
  ])('brings nothing to %s', async ([, change], { desktopClient, program: { calls, port } }) => {
    expect(await desktopClient.sessionHandoffs.show(requestOf(port))).toEqual({ Shown: true, Message: '' });
    const [window] = desktopClient.windows;
    await desktopClient.sessionHandoffs.deliver(window!, change(codeAddress(window!, 'abc')));
    expect([calls, window!.urls.at(-1)]).toEqual([[], failure]);
  });

  test('brings one code, and leads nowhere that the program says', async ({
    desktopClient,
    program: { calls, port },
  }) => {
    await desktopClient.sessionHandoffs.show(requestOf(port));
    const [window] = desktopClient.windows;
    const url = codeAddress(window!, 'abc');
    await desktopClient.sessionHandoffs.deliver(window!, url);
    expect([calls, window!.urls.at(-1)]).toEqual([
      [`/?code=abc&state=${'s'.repeat(22)}`],
      failure.replace('failure', 'success'),
    ]);
    await desktopClient.sessionHandoffs.deliver(window!, url);
    expect([calls.length, window!.urls.length]).toEqual([1, 2]);
  });

  test('is the same for a program that asks again, and forgets after a quarter of an hour', async ({
    desktopClient,
    program: { calls, port },
  }) => {
    await desktopClient.sessionHandoffs.show(requestOf(port));
    await desktopClient.sessionHandoffs.show(requestOf(port, 't'.repeat(22)));
    expect(desktopClient.windows).toHaveLength(1);
    desktopClient.clockAhead = 16 * 60_000;
    await desktopClient.sessionHandoffs.deliver(
      desktopClient.windows[0]!,
      codeAddress(desktopClient.windows[0]!, 'abc'),
    );
    expect(calls).toEqual([]);
    desktopClient.windows[0]!.close();
    await desktopClient.sessionHandoffs.show(requestOf(port));
    expect(desktopClient.windows).toHaveLength(1);
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

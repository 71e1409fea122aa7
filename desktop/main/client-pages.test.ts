/** The pages of a portal that the desktop client shows, and their calls. */
import { describe, expect, test } from 'vitest';
import { withPageKey } from '#bridge/page-key.ts';
import { wayTo } from '#test/desktop/support/way.ts';
import { playClient } from '#test/support/played-client.ts';
import { bearer } from '#test/support/users.ts';

const { played, only, keyOf, ask, add, signInByPassword } = playClient();

describe('a page', () => {
  test('is the portal’s, with its settings and a policy that lets in nothing else', async () => {
    await add();
    const page = await ask('/activities/runstatus/5');
    expect(await page.text()).toContain('<meta name="runsheet-settings" content="{&#34;title&#34;:&#34;Runsheet&#34;');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'; script-src-attr 'none'");
    expect((await ask('/assets/a.js')).headers.get('content-type')).toContain('javascript');
    expect((await ask('/assets/none.js')).status).toBe(404);
    expect((await ask('/assets/../../data')).status).not.toBe(500);
    expect((await ask('/activities', { method: 'POST' })).status).toBe(405);
  });

  test('without the key of the pages is refused before it reaches the server, with the session or without', async () => {
    await add();
    const handle = await signInByPassword();
    const shown = only().portal!;
    const pageKey = keyOf(shown);
    const received: unknown[] = [];
    played.app.http.server.on('request', ({ url }) => String(url).includes('mark') && received.push(url));
    const paths = ['api/settings?mark', 'token?mark', 'api/users/profile?mark'];
    const keys = ['', 'AAAA', `${pageKey}A`, pageKey.slice(1), 'A'.repeat(pageKey.length)];
    const refused = paths.flatMap((path) => [path, ...keys.map((key) => withPageKey(path, key))]);
    for (const path of [...refused, `${withPageKey('api/settings', pageKey)}&mark`]) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']) {
        const got = await shown.handle(new Request(`runsheet://app/${path}`, { method, headers: bearer(handle) }));
        expect([method, path, got.status, await got.text()]).toEqual([method, path, 403, '']);
        expect(got.headers.get('content-security-policy')).toContain('sandbox');
      }
    }
    expect(received).toEqual([]);
    expect(await (await ask('/')).text()).not.toContain(pageKey);
    await ask('/api/settings?mark');
    expect(received).toEqual(['/api/settings?mark']);
  });

  test('of another origin is refused; cookies, origin and address of the page never reach the server', async () => {
    await add();
    const handle = await signInByPassword();
    expect((await ask('/api/settings', { headers: { origin: 'https://evil.example.org' } })).status).toBe(403);
    const seen: Record<string, unknown>[] = [];
    // The client asks for settings itself, too.
    const path = '/api/settings?own';
    played.app.http.server.on('request', ({ url, headers }) => url === path && seen.push(headers));
    await ask(path, {
      headers: {
        ...bearer(handle),
        origin: 'runsheet://app',
        referer: 'runsheet://app/x',
        'x-unattended': '1',
        'x-forwarded-for': '1.2.3.4',
      },
    });
    expect(seen[0]).toMatchObject({ 'x-unattended': '1', authorization: expect.not.stringContaining('handle') });
    expect(seen[0]).not.toMatchObject({ 'x-forwarded-for': '1.2.3.4' });
    expect(['origin', 'referer', 'cookie'].filter((name) => name in seen[0]!)).toEqual([]);
  });

  test('learns of an answer’s headers what pages read of them, and nothing else', async () => {
    await add();
    const handle = await signInByPassword();
    const said = { 'set-cookie': 'a=b', 'x-kept-at': new Date().toISOString(), 'x-own': '1', 'retry-after': '7' };
    played.app.http.server.prependListener('request', ({ url }, response) => {
      if (url !== '/api/users/profile') return;
      for (const [name, value] of Object.entries(said)) response.setHeader(name, value);
    });
    const answer = await ask('/api/users/profile', { headers: bearer(handle) });
    expect(Object.fromEntries(answer.headers)).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': expect.stringContaining('no-store'),
      'retry-after': '7',
      'x-server-time': expect.stringMatching(/Z$/),
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
    });
  });

  test('that stops to read ends the call of the server too', async () => {
    await add();
    const handle = await signInByPassword();
    const closed = new Promise((resolve) =>
      played.app.http.server.on('request', ({ headers }, response) => {
        // The client has its own event stream in addition to the page's.
        if (headers.pragma === 'no-cache') response.once('close', resolve);
      }),
    );
    const stream = await ask('/api/events', {
      headers: { ...bearer(handle), accept: 'text/event-stream', pragma: 'no-cache' },
    });
    expect(stream.status).toBe(200);
    const reader = stream.body!.getReader();
    await reader.read();
    await reader.cancel();
    await closed;
  });

  test('that was left before its call was answered ends the call of the server too', async () => {
    const way = await wayTo(played.address);
    expect(await played.client.handlers.addServer(only(), way.address)).toMatchObject({ Problem: '' });
    const headers = { ...bearer(await signInByPassword()), accept: 'text/event-stream' };
    const portal = only().portal!;
    way.letEventsPass(false);
    const closedPage = portal.openPage();
    const calls = Array.from({ length: 3 }, () =>
      portal.handle(new Request(withPageKey('runsheet://app/api/events', closedPage.key), { headers })).then(
        () => 'answered',
        () => 'ended',
      ),
    );
    await expect.poll(() => way.streams()).toBeGreaterThanOrEqual(calls.length);
    closedPage.leave();
    expect(await Promise.all(calls)).toEqual(calls.map(() => 'ended'));
    // The client has its own event stream in addition to the page's.
    await expect.poll(() => way.streams()).toBeLessThanOrEqual(1);
    await way.close();
  });

  test('of a server that is away sees a lost network', async () => {
    await add();
    played.isAway = true;
    await expect(ask('/api/settings')).rejects.toThrow('net::ERR');
    played.isAway = false;
    expect((await ask('/api/settings')).status).toBe(200);
  });
});

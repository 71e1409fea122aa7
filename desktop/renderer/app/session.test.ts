import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listActivities } from '#shared/contract/activities.ts';
import { liveEvents } from '#shared/contract/live.ts';

type StorageListener = (event: { key: string }) => void;

function fakeStorage() {
  const texts = new Map<string, string>();
  return {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, value: string) => void texts.set(key, value),
    removeItem: (key: string) => void texts.delete(key),
  };
}

/** Mocks of the parts of a browser that the session uses, and of the server's responses. */
function fakeBrowser(path: string) {
  const storageListeners: StorageListener[] = [];
  const localStorage = fakeStorage();
  const assign = vi.fn();
  vi.stubGlobal('document', { baseURI: 'http://host/portal/' });
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('window', {
    localStorage,
    sessionStorage: fakeStorage(),
    location: { pathname: `/portal/${path}`, search: '?q=1', hash: '', assign },
    addEventListener: (_: string, listener: StorageListener) => storageListeners.push(listener),
    removeEventListener: () => undefined,
    setInterval: (work: () => void, ms: number) => setInterval(work, ms),
    isSecureContext: false,
  });
  const otherWindow = {
    set: (key: string, value: string) => localStorage.setItem(`runsheet.${key}`, value),
    remove: (key: string) => localStorage.removeItem(`runsheet.${key}`),
    publish: (key: string) => storageListeners.forEach((listener) => listener({ key: `runsheet.${key}` })),
  };
  return { assign, localStorage, otherWindow };
}

const at = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
const answer = (seconds: number, inactivityTimeout = 1800) => ({
  access_token: 'first',
  expiry: at(seconds),
  ssoExpiry: null,
  ssoProvider: null,
  inactivityTimeout,
  lastLoginTime: null,
  lastLoginToken: null,
});
const reply = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'x-server-time': at(0) } });
const seconds = (count: number): Promise<unknown> => vi.advanceTimersByTimeAsync(count * 1000);

const server = vi.fn<(url: string, init: { headers: Headers }) => Promise<Response>>();
/** Excludes connection polls, which follow a lost call. */
const calls = (): string[] => server.mock.calls.map(([url]) => url).filter((url) => !url.endsWith('/api/health'));

async function start(path = 'activities/') {
  const browser = fakeBrowser(path);
  const session = await import('./session.ts');
  const { call } = await import('#renderer/api/client.ts');
  session.watchSession();
  return { ...browser, ...session, call, token: () => session.useSession.getState().session?.token };
}

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-01T09:00:00Z') });
  vi.resetModules();
  server.mockReset();
  vi.stubGlobal('fetch', server);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe('a session', () => {
  it('is renewed a minute before its token expires', async () => {
    const app = await start();
    app.beginSession('ada', answer(600));
    server.mockImplementation(async () =>
      reply(200, { result: { access_token: 'second', expiry: at(600), ssoExpiry: null } }),
    );
    await seconds(538);
    expect(calls()).toEqual([]);
    await seconds(4);
    expect(calls()).toEqual(['/portal/api/renewtoken']);
    expect(app.token()).toBe('second');
  });

  it('tries a failed renewal again, and ends only when the token has expired', async () => {
    const app = await start('activities/run/7/');
    app.beginSession('ada', answer(120));
    server.mockImplementation(async () => Promise.reject(new TypeError('no network')));
    await seconds(90);
    expect(calls().length).toBeGreaterThan(2);
    expect(app.assign).not.toHaveBeenCalled();
    await seconds(40);
    expect(app.assign).toHaveBeenCalledExactlyOnceWith('/portal/activities/run/7/?q=1&sso=0');
  });

  it('ends after inactivity, which renewals do not interrupt but calls and clicks do', async () => {
    const app = await start();
    app.beginSession('ada', answer(40, 100));
    server.mockImplementation(async (url) =>
      url.endsWith('renewtoken')
        ? reply(200, { result: { access_token: 'next', expiry: at(40), ssoExpiry: null } })
        : reply(200, { result: {} }),
    );
    await seconds(60);
    await app.call(listActivities);
    await seconds(60);
    app.recordActivity();
    await seconds(95);
    expect(app.assign).not.toHaveBeenCalled();
    await seconds(10);
    expect(app.assign).toHaveBeenCalledExactlyOnceWith('/portal/activities/?q=1&sso=0');
  });

  it('ends after inactivity though a screen polls, and notifies the server', async () => {
    const app = await start();
    app.beginSession('ada', answer(600, 100));
    server.mockImplementation(async () => reply(200, { result: {} }));
    const unattended = (): boolean => server.mock.lastCall![1].headers.has('x-unattended');
    await app.call(listActivities, { polls: true });
    expect(unattended()).toBe(false);
    for (let i = 0; i < 9; i++) {
      await seconds(10);
      await app.call(listActivities, { polls: true });
    }
    expect(unattended()).toBe(true);
    app.recordActivity();
    await app.call(listActivities, { polls: true });
    expect(unattended()).toBe(false);
    await seconds(95);
    await app.call(listActivities, { polls: true });
    expect(app.assign).not.toHaveBeenCalled();
    await seconds(10);
    expect(app.assign).toHaveBeenCalledExactlyOnceWith('/portal/activities/?q=1&sso=0');
  });

  it('goes to the base path when the person signs out, even if the server is not there', async () => {
    const app = await start();
    app.beginSession('ada', answer(600));
    server.mockImplementation(async () => Promise.reject(new TypeError('no network')));
    await app.signOut();
    expect(calls()).toEqual(['/portal/api/logout']);
    expect(app.assign).toHaveBeenCalledExactlyOnceWith('/portal/?sso=0');
    expect(app.localStorage.getItem('runsheet.session')).toBeNull();
  });

  it('that a person signs out of does not also end because a call is refused in the meantime', async () => {
    const app = await start();
    app.beginSession('ada', answer(600));
    const atEnd = vi.fn();
    app.onSessionEnd(atEnd);
    const { promise: answered, resolve } = Promise.withResolvers<void>();
    server.mockImplementation(async (url) => {
      if (!url.endsWith('/logout')) return reply(401, { message: 'no' });
      await answered;
      return reply(200, { result: null });
    });
    const signedOut = app.signOut();
    await expect(app.call(listActivities)).rejects.toThrow();
    expect(app.assign).not.toHaveBeenCalled();
    resolve();
    await signedOut;
    expect(atEnd).toHaveBeenCalledExactlyOnceWith('logout');
    expect(app.assign).toHaveBeenCalledExactlyOnceWith('/portal/?sso=0');
  });

  it('ends with a 401, once, after the drafts of unsaved work were stored', async () => {
    const app = await start();
    app.beginSession('ada', answer(600));
    const saveDraft = vi.fn();
    app.onSessionEnd(saveDraft);
    server.mockImplementation(async () => reply(401, { message: 'no' }));
    const results = await Promise.allSettled([app.call(listActivities), app.call(listActivities)]);
    expect(results.map((result) => result.status === 'rejected' && (result.reason as Error).message)).toEqual([
      'You do not have permissions for this operation',
      'You do not have permissions for this operation',
    ]);
    expect(saveDraft).toHaveBeenCalledExactlyOnceWith('expired');
    expect(app.assign).toHaveBeenCalledOnce();
  });

  it('ends too with a 401 that the stream of events is answered with, where the page makes no other call', async () => {
    const app = await start();
    const { openStream } = await import('#renderer/api/client.ts');
    app.beginSession('ada', answer(600));
    server.mockImplementation(async () => reply(401, { message: 'no' }));
    await expect(openStream(liveEvents, {})).rejects.toThrow('Unexpected error');
    expect(app.assign).toHaveBeenCalledExactlyOnceWith('/portal/activities/?q=1&sso=0');
  });

  it('does not end with a 401 that a proxy sends in place of the server', async () => {
    const app = await start();
    const { openStream } = await import('#renderer/api/client.ts');
    app.beginSession('ada', answer(600));
    const page = '<html><title>Sign in to\n the network</title></html>';
    server.mockImplementation(async () => new Response(page, { status: 401 }));
    await expect(app.call(listActivities)).rejects.toMatchObject({
      status: 0,
      message: expect.stringMatching(/^Network error: A proxy .*: 401 Sign in to the network\. /),
    });
    await expect(openStream(liveEvents, {})).rejects.toThrow();
    // Gateways write JSON as the server does.
    server.mockImplementation(async () => new Response('{"message":"Unauthorized"}', { status: 401 }));
    await expect(app.call(listActivities)).rejects.toThrow('Network error: ');
    expect(app.assign).not.toHaveBeenCalled();
    expect(app.token()).toBe('first');
    server.mockImplementation(async () => reply(200, { result: 'yes' }));
    expect(await app.call(listActivities)).toBe('yes');
  });
});

describe('a session of a provider', () => {
  const ssoAnswer = (ssoSeconds: number) => ({ ...answer(3600), ssoProvider: 'oidc:corp', ssoExpiry: at(ssoSeconds) });
  const isRefresh = (url: string): boolean => url === '/portal/api/sso/refresh/oidc/corp';

  it('is renewed there two minutes before it ends, and again after half a minute where that fails', async () => {
    const app = await start();
    app.beginSession('ada', ssoAnswer(600));
    let isUp = false;
    server.mockImplementation(async () =>
      isUp ? reply(200, { result: { ssoExpiry: at(600) } }) : reply(502, { message: 'away' }),
    );
    await seconds(478);
    expect(calls().filter(isRefresh)).toEqual([]);
    await seconds(4);
    expect(calls().filter(isRefresh)).toHaveLength(1);
    await seconds(26);
    expect(calls().filter(isRefresh)).toHaveLength(1);
    isUp = true;
    await seconds(6);
    expect(calls().filter(isRefresh)).toHaveLength(2);
    await seconds(300);
    expect(app.assign).not.toHaveBeenCalled();
    expect(calls().filter(isRefresh)).toHaveLength(2);
  });

  it('ends where the provider does not renew it', async () => {
    const app = await start('activities/run/7/');
    app.beginSession('ada', ssoAnswer(600));
    server.mockImplementation(async () => reply(400, { message: 'The provider does not renew this sign-in' }));
    await seconds(598);
    expect(app.assign).not.toHaveBeenCalled();
    await seconds(4);
    expect(app.assign).toHaveBeenCalledExactlyOnceWith('/portal/activities/run/7/?q=1&sso=0');
  });

  it('leaves the provider too when the person signs out, where the provider says how', async () => {
    const app = await start();
    app.beginSession('ada', ssoAnswer(600));
    const url = 'https://login.example/end?hint=1';
    server.mockImplementation(async (address) =>
      reply(200, { result: address.includes('ssologouturl') ? { url } : null }),
    );
    await app.signOut();
    expect(calls()).toEqual(['/portal/api/ssologouturl/oidc/corp', '/portal/api/logout']);
    expect(app.assign).toHaveBeenCalledExactlyOnceWith(url);
  });

  it('stays at a SAML2 provider unless the person logs out from everywhere', async () => {
    const app = await start();
    app.beginSession('ada', { ...ssoAnswer(600), ssoProvider: 'saml2:corp' });
    server.mockImplementation(async () => reply(200, { result: null }));
    await app.signOut();
    expect(calls()).toEqual(['/portal/api/logout']);
    expect(app.assign).toHaveBeenCalledExactlyOnceWith('/portal/?sso=0');
  });
});

describe('a session that a password reset has ended', () => {
  it('is forgotten here without starting the page afresh, and another person’s is kept', async () => {
    const app = await start('resetpassword');
    app.beginSession('Ada', answer(600));
    app.forgetSessionOf('bert');
    expect(app.token()).toBe('first');
    app.forgetSessionOf(' ada');
    expect([app.token(), app.localStorage.getItem('runsheet.session')]).toEqual([undefined, null]);
    server.mockImplementation(async () => reply(401, { message: 'no' }));
    await expect(app.call(listActivities)).rejects.toThrow('no');
    expect(app.assign).not.toHaveBeenCalled();
  });
});

describe('a session in several windows', () => {
  it('repeats a refused call with the token that another window has renewed', async () => {
    const app = await start();
    app.beginSession('ada', answer(600));
    const stored = JSON.parse(app.localStorage.getItem('runsheet.session') ?? '{}') as object;
    app.otherWindow.set('session', JSON.stringify({ ...stored, token: 'renewed' }));
    server.mockImplementation(async (_, { headers }) =>
      headers.get('authorization') === 'Bearer renewed' ? reply(200, { result: 'yes' }) : reply(401, {}),
    );
    expect(await app.call(listActivities)).toBe('yes');
    expect(app.assign).not.toHaveBeenCalled();
  });

  it('ends here when the other window signs out, or another person signs in there', async () => {
    const app = await start();
    app.beginSession('ada', answer(600));
    const stored = JSON.parse(app.localStorage.getItem('runsheet.session') ?? '{}') as object;
    app.otherWindow.set('session', JSON.stringify({ ...stored, token: 'second' }));
    app.otherWindow.publish('session');
    expect(app.token()).toBe('second');
    app.otherWindow.remove('session');
    app.otherWindow.publish('session');
    expect(app.assign).toHaveBeenCalledExactlyOnceWith('/portal/?sso=0');
  });
});

describe('the path remembered for after sign-in', () => {
  it('is used once, and never leads away from the portal', async () => {
    await start();
    const app = await import('./remembered-path.ts');
    app.rememberPath('/activities/run/7/?q=1');
    expect([app.takeRememberedPath(), app.takeRememberedPath()]).toEqual(['/activities/run/7/?q=1', '/']);
    for (const path of [
      '//elsewhere.example/',
      '/\\elsewhere.example/',
      'https://elsewhere.example/',
      '/\t/elsewhere.example',
    ]) {
      app.rememberPath(path);
      expect(app.takeRememberedPath()).toBe('/');
    }
    app.rememberPath('/');
    expect(app.takeRememberedPath()).toBe('/');
  });
});

/** Sign-in to the desktop client, and the lifetime of the session. */
import { readdir } from 'node:fs/promises';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codeOf } from '#test/support/authenticator.ts';
import { playClient } from '#test/support/played-client.ts';
import { insertActivity, insertRun } from '#test/support/runs.ts';
import { bearer, createUser, encryptPasswords, signIn, TEST_PASSWORD, type TestUser } from '#test/support/users.ts';

const { played, startClient, only, ask, post, add, signInByPassword, nameOf } = playClient();

/** Sends the headers of a browser navigation, which fetch cannot set. */
async function follow(url: string): Promise<IncomingMessage> {
  const sent = request(url, { headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response;
}

async function personWithFactor(): Promise<{ factored: TestUser; key: string }> {
  const factored = await createUser(played.app);
  const headers = bearer(await signIn(played.app, factored));
  const [Password] = await encryptPasswords(played.app.http, factored.UserName, [TEST_PASSWORD]);
  const call = async (url: string, payload: object): Promise<{ Key?: string }> =>
    (await played.app.http.inject({ method: 'POST', url: `/api/users/secondfactor/${url}`, headers, payload })).json<{
      result: { Key?: string };
    }>().result;
  const { Key: key = '' } = await call('begin', { Password });
  await call('confirm', { Code: codeOf(key) });
  // Simulates that half a minute has passed since that code.
  await played.app.database.knex('Users').where({ UserId: factored.UserId }).update({ SecondFactorStep: 0 });
  return { factored, key };
}

describe('the session', () => {
  test('is the page’s by a handle alone, is there after a restart, and ends with the sign-out', async () => {
    await add();
    const handle = await signInByPassword();
    expect(handle).toMatch(/^handle-/);
    expect(played.flushed).toEqual([]);
    expect(await nameOf(handle)).toBe(played.user.UserName);
    await nameOf(handle);
    // The page has stored the handle by its first call. It is written immediately, so it survives if the program is
    // killed.
    expect(played.flushed).toHaveLength(1);
    expect(await nameOf([...played.items.values()][0]!)).toBeUndefined();
    expect(played.accounts.list()[0]!.userName).toBe(played.user.UserName);

    await startClient(played.data);
    expect(await nameOf(handle)).toBe(played.user.UserName);
    const renewed = await post('/api/renewtoken', null, bearer(handle));
    const { result } = (await renewed.json()) as { result: { access_token: string } };
    expect(result.access_token).toMatch(/^handle-/);
    expect(result.access_token).not.toBe(handle);
    expect(await nameOf(result.access_token)).toBe(played.user.UserName);
    expect((await post('/api/logout', null, bearer(result.access_token))).status).toBe(200);
    expect(played.items.size).toBe(0);
    expect(await nameOf(result.access_token)).toBeUndefined();
  });

  test('that is ended elsewhere closes and erases what was opened, though no page asks for anything', async () => {
    await add();
    const handle = await signInByPassword();
    const countStored = async (): Promise<number> =>
      (await readdir(join(played.data, `kept-${played.accounts.last()!.id}`)).catch(() => [])).length;
    await ask('/api/activities/notifications', { headers: bearer(handle) });
    await expect.poll(countStored).toBeGreaterThan(0);
    const { knex } = played.app.database;
    const ActivityId = await insertActivity(knex, { UserId: played.user.UserId, Name: `Loan ${played.user.UserId}` });
    await knex('Sessions').where('UserId', played.user.UserId).delete();
    // The stream checks the session again before it publishes an event.
    const run = { ActivityId, UserId: played.user.UserId, Status: 'Failed', EndTime: new Date() };
    played.app.signals.changed(await insertRun(knex, run));
    await expect.poll(countStored).toBe(0);
    expect([...played.items.keys()].some((name) => name.endsWith('|kept'))).toBe(false);
  });

  test('ends with the sign-out, though a proxy answers in place of the server', async () => {
    await add();
    const handle = await signInByPassword();
    played.proxy = () => new Response('Bad gateway', { status: 502 });
    await post('/api/logout', null, bearer(handle));
    played.proxy = null;
    expect(played.items.size).toBe(0);
    expect(await nameOf(handle)).toBeUndefined();
  });

  test('stays as it is on the page after a sign-out by proof that the server has not received', async () => {
    await add();
    const handle = await signInByPassword();
    const signOut = () => post('/api/logout', { Everywhere: true, Password: 'x' }, bearer(handle));
    played.proxy = () => new Response('<p>Sign in to the network</p>');
    await signOut();
    [played.proxy, played.isAway] = [null, true];
    await expect(signOut()).rejects.toThrow();
    played.isAway = false;
    expect(await nameOf(handle)).toBe(played.user.UserName);
    await post('/api/logout', null, bearer(handle));
    expect(played.items.size).toBe(0);
  });

  test('a refused sign-in shows the message of the server', async () => {
    await add();
    const [password = ''] = await encryptPasswords(played.app.http, played.user.UserName, ['Wrong-Horse-7']);
    const body = new URLSearchParams({ grant_type: 'password', username: played.user.UserName, password });
    const answer = await ask('/token', { method: 'POST', body });
    expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })]);
    expect(played.items.size).toBe(0);
  });

  test('of a person with a second factor asks for its code, and is given and kept by it alone', async () => {
    await add();
    const { factored, key } = await personWithFactor();
    const enter = async (code?: string): Promise<Response> => {
      const [password = ''] = await encryptPasswords(played.app.http, factored.UserName, [TEST_PASSWORD]);
      const fields = { grant_type: 'password', username: factored.UserName, password, ...(code ? { code } : {}) };
      return ask('/token', { method: 'POST', body: new URLSearchParams(fields) });
    };
    expect(await (await enter()).json()).toMatchObject({ error: 'second_factor_required' });
    expect(await (await enter('000000')).json()).toMatchObject({ error: 'second_factor_wrong' });
    expect(played.items.size).toBe(0);
    const answer = (await (await enter(codeOf(key))).json()) as { access_token: string };
    expect(await nameOf(answer.access_token)).toBe(factored.UserName);
    await startClient(played.data);
    expect(await nameOf(answer.access_token)).toBe(factored.UserName);
  });

  test('comes from the browser of the system, and the page takes it over as after any sign-in elsewhere', async () => {
    await add();
    const window = only();
    await played.client.handlers.signInElsewhere(window, '/activities/runstatus/5?x=1');
    expect(window.url).toBe('runsheet://servers/waiting');
    expect(await played.client.handlers.signInWaiting(window)).toEqual({ Address: played.address, Title: 'Runsheet' });
    await played.client.handlers.openBrowserAgain(window);
    expect(played.outside).toEqual([played.outside[0], played.outside[0]]);
    const query = new URL(played.outside[0]!).searchParams;
    const [ClientKind = '', port] = (query.get('c') ?? '').split(':');
    const { result } = (
      await played.app.http.inject({
        method: 'POST',
        url: '/api/addin/code',
        headers: bearer(await signIn(played.app, played.user)),
        payload: { ClientKind, Challenge: query.get('challenge'), IsCopied: false },
      })
    ).json<{ result: { Code: string } }>();
    const back = await follow(`http://127.0.0.1:${port}/?code=${result.Code}&state=${query.get('state')}`);
    expect([back.statusCode, back.headers.location]).toEqual([303, `${played.address}?c=desktop&result=success`]);
    await expect.poll(() => window.url).toContain('runsheet://app/activities/runstatus/5?x=1&sso=1&ott=own-');
    const Ott = new URL(window.url).searchParams.get('ott');
    const taken = await (await post('/api/sso/ott', { Ott })).json();
    expect(taken).toMatchObject({ result: { UserName: played.user.UserName, ssoProvider: null } });
    expect(await nameOf((taken as { result: { access_token: string } }).result.access_token)).toBe(
      played.user.UserName,
    );
    expect((await post('/api/sso/ott', { Ott })).status).toBe(400);
  });

  test('a sign-in in the browser that is given up, or fails, leads back to the form, with what went wrong', async () => {
    await add();
    const window = only();
    await played.client.handlers.signInElsewhere(window, '/');
    await played.client.handlers.cancelSignIn(window);
    await expect.poll(() => window.url).toBe('runsheet://app/login?sso=0');
    await played.client.handlers.signInElsewhere(window, '/');
    const query = new URL(played.outside[1]!).searchParams;
    const port = query.get('c')!.split(':')[1];
    await follow(`http://127.0.0.1:${port}/?code=made-up&state=${query.get('state')}`);
    await expect.poll(() => window.url).toContain('ssoError=The+code+is+no+longer+valid');
  });
});

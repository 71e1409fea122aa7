/** Dashboards are saved on a real server; the network loses responses. */
import { expect, test as base } from 'vitest';
import type { Dashboard, Tile } from '#shared/contract/dashboards.ts';
import { AppFailure } from '#renderer/api/app-failure.ts';
import { testApp } from '#test/support/app.ts';
import { signedInUser } from '#test/support/users.ts';
import { createDashboardSender } from './send-dashboard.ts';

const tile = (Text: string): Tile => ({ Text, Kind: 'Text', Id: 'a', Title: '', W: 4, H: 2, X: 0, Y: 0 });

const test = base
  .extend('app', { scope: 'file' }, async ({}, { onCleanup }) => {
    const app = await testApp();
    onCleanup(() => app.close());
    return app;
  })
  .extend('dashboard', async ({ app: { http }, app }) => {
    const { headers } = await signedInUser(app);
    const save = async (Id: number | null, Revision: number, draft: object) => {
      const payload = { Id, Revision, ...draft };
      const answer = await http.inject({ method: 'POST', url: '/api/dashboards/save', headers, payload });
      const body = answer.json<{ result: { Id: number; Revision: number }; message?: string }>();
      if (answer.statusCode !== 200) throw new AppFailure(body.message ?? '', { status: answer.statusCode });
      return body.result;
    };
    const { Id } = await save(null, 0, { Name: 'Sales', Tiles: [tile('first')] });
    const read = async () => {
      const answer = await http.inject({ url: `/api/dashboards/details/${Id}`, headers });
      return answer.json<{ result: Dashboard }>().result;
    };
    /** Opens the dashboard as another person does. */
    async function openWindow() {
      const window = { losesResponses: false };
      const opened = await read();
      const send = createDashboardSender(opened, {
        save: async (Revision, draft) => {
          const saved = await save(Id, Revision, draft);
          if (window.losesResponses) throw new AppFailure('The server cannot be reached. Please try again.');
          return saved;
        },
        read,
      });
      return Object.assign(window, { send, revision: opened.Revision });
    }
    return { read, openWindow };
  });

test('a dashboard whose response was lost is saved already', async ({ dashboard: { openWindow, read } }) => {
  const window = await openWindow();
  const draft = { Name: ' Sales of the year ', Tiles: [tile('second')] };
  window.losesResponses = true;
  await expect(window.send(window.revision, draft)).rejects.toMatchObject({ status: 0 });
  window.losesResponses = false;
  expect(await window.send(window.revision, draft)).toEqual({ Revision: window.revision + 1 });
  expect(await read()).toMatchObject({ Name: 'Sales of the year', Revision: window.revision + 1 });
});

test('newer changes replace those whose response was lost', async ({ dashboard: { openWindow, read } }) => {
  const window = await openWindow();
  window.losesResponses = true;
  await expect(window.send(window.revision, { Name: 'Sales', Tiles: [] })).rejects.toMatchObject({ status: 0 });
  window.losesResponses = false;
  const Tiles = [tile('third')];
  expect(await window.send(window.revision, { Name: 'Sales', Tiles })).toMatchObject({ Revision: window.revision + 2 });
  expect((await read()).Tiles).toEqual(Tiles);
});

test('changes of somebody else are a conflict', async ({ dashboard: { openWindow, read } }) => {
  const [first, second] = [await openWindow(), await openWindow()];
  await second.send(second.revision, { Name: 'Theirs', Tiles: [] });
  const mine = { Name: 'Mine', Tiles: [tile('mine')] };
  await expect(first.send(first.revision, mine)).rejects.toMatchObject({ status: 409 });
  first.losesResponses = true;
  const { Revision } = await read();
  // Overwrites the other person's changes, as the author has asked for.
  await expect(first.send(Revision, mine)).rejects.toMatchObject({ status: 0 });
  first.losesResponses = false;
  expect(await first.send(Revision, mine)).toEqual({ Revision: Revision + 1 });
  expect((await read()).Name).toBe('Mine');
});

/** Marks are saved on a real server; the network loses responses. */
import { expect, test as base } from 'vitest';
import type { Mark } from '#shared/contract/designs.ts';
import { AppFailure } from '#renderer/api/app-failure.ts';
import { mark, MARKS, startDesignPortal } from '#test/support/design-portal.ts';
import { createMarkSender } from './send-marks.ts';

const test = base
  .extend('portal', { scope: 'file' }, async ({}, { onCleanup }) => {
    const portal = await startDesignPortal();
    onCleanup(() => portal.close());
    return portal;
  })
  .extend('opened', async ({ portal }) => {
    const { Id } = await portal.open();
    const read = async () =>
      (await portal.call<{ Revision: number; Marks: Mark[] }>('GET', `/api/designs/${Id}`)).result;
    /** Opens the design as another window does. */
    async function openWindow() {
      const window = { losesResponses: false };
      const save = async (Revision: number, marks: readonly Mark[]) => {
        const { status, result, message = '' } = await portal.save({ Id, Revision }, [...marks]);
        if (window.losesResponses) throw new AppFailure('The server cannot be reached. Please try again.');
        if (status !== 200) throw new AppFailure(message, { status });
        return result;
      };
      const design = await read();
      const send = createMarkSender(design, { save: save as never, read });
      return Object.assign(window, { send, revision: design.Revision });
    }
    return { read, openWindow };
  });

test('marks whose response was lost are sent again without a conflict', async ({ opened: { openWindow, read } }) => {
  const window = await openWindow();
  window.losesResponses = true;
  await expect(window.send(window.revision, MARKS)).rejects.toMatchObject({ status: 0 });
  window.losesResponses = false;
  expect(await window.send(window.revision, MARKS)).toMatchObject({ Revision: 1, Found: { Faults: [] } });
  expect((await read()).Marks).toEqual(MARKS);
});

test('newer marks replace those whose response was lost', async ({ opened: { openWindow, read } }) => {
  const window = await openWindow();
  window.losesResponses = true;
  await expect(window.send(window.revision, MARKS.slice(0, 1))).rejects.toMatchObject({ status: 0 });
  window.losesResponses = false;
  expect(await window.send(window.revision, MARKS)).toMatchObject({ Revision: 2 });
  expect((await read()).Marks).toEqual(MARKS);
});

test('marks that another window has opened and saved unchanged are no conflict', async ({
  opened: { openWindow, read },
}) => {
  const first = await openWindow();
  // Options are sent in the order in which the author has set them, and returned in that of the contract.
  const { Revision } = await first.send(first.revision, [
    mark('Input', 'Amount', 'B2', { Order: '1', RangeType: 'SingleCell' }),
  ]);
  const second = await openWindow();
  expect(await second.send(second.revision, (await read()).Marks)).toMatchObject({ Revision: Revision + 1 });
  expect(await first.send(Revision, MARKS)).toMatchObject({ Revision: Revision + 2 });
});

test('marks that another window has changed are a conflict', async ({ opened: { openWindow, read } }) => {
  const [first, second] = [await openWindow(), await openWindow()];
  first.losesResponses = true;
  await expect(first.send(first.revision, MARKS)).rejects.toMatchObject({ status: 0 });
  await expect(second.send(second.revision, MARKS.slice(1))).rejects.toMatchObject({ status: 409 });
  const third = await openWindow();
  await third.send(third.revision, MARKS.slice(1));
  first.losesResponses = false;
  await expect(first.send(first.revision, MARKS)).rejects.toMatchObject({ status: 409 });
  expect((await read()).Marks).toEqual(MARKS.slice(1));
});

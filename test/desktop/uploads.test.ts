/**
 * Files chosen in the desktop client, on the real runtime: they reach the server complete, and an upload can be
 * cancelled or refused halfway.
 */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { activityDetails, type Activity } from '#shared/contract/activities.ts';
import { uploadFiles } from '#shared/contract/files.ts';
import { runHistory, type History } from '#shared/contract/run-history.ts';
import type { CellSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { whyNoElectron } from '../../scripts/electron-runtime.ts';
import { clientPortal, type ClientPortal, type Person } from './support/client-portal.ts';
import { openPortal } from './support/pages.ts';
import { createMachine, type Client, type Machine } from './support/runtime.ts';
import { wayTo, type Way } from './support/way.ts';

const missing = whyNoElectron();

const INPUTS: CellSpec[][] = [
  ['Name', 'Range', 'CellUsages'],
  ['Paper', 'S!A1', 'FilePath'],
  ['Papers', 'S!B1:B3', 'FilePath'],
];
/** An activity with one file, and up to three others. */
const PAPERS: WorkbookSpec = {
  sheets: [
    { name: 'S', cells: { D1: 1 } },
    {
      name: 'Portal',
      cells: Object.fromEntries(
        INPUTS.flatMap((row, y) => row.map((cell, x) => [`${'ABC'[x]}${y + 1}`, cell] as const)),
      ),
      tables: [{ name: 'PortalInputs', ref: 'A1:C3', columns: ['Name', 'Range', 'CellUsages'] }],
    },
  ],
  names: { out_One: 'S!$D$1' },
};

const MEGABYTE = 1024 * 1024;

/** Returns bytes without repeated sections. */
function bytesOf(name: string, size: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(size / 32) }, (_, index) =>
    createHash('sha256').update(`${name} ${index}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, size);
}

const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

describe.skipIf(missing !== '')('the desktop client', () => {
  let portal: ClientPortal;
  let person: Person;
  let machine: Machine;
  let way: Way;
  let client: Client;
  let page: Page;
  let activity: Activity;
  const files = new Map<string, Buffer>([
    ['large.bin', bytesOf('large', 6 * MEGABYTE + 1)],
    ['first.csv', bytesOf('first', 3 * MEGABYTE)],
    ['second.csv', bytesOf('second', 70_001)],
    ['third.txt', bytesOf('third', 1)],
    ['empty.txt', Buffer.alloc(0)],
  ]);

  beforeAll(async () => {
    [portal, machine] = await Promise.all([clientPortal(), createMachine()]);
    person = await portal.createPerson();
    const id = await person.publish('Papers', PAPERS);
    activity = await person.call<Activity>(activityDetails.path.slice(1).replace(':id', String(id)));
    way = await wayTo(portal.address);
    client = await machine.start();
    page = await openPortal(client, way, person);
    for (const [name, content] of files) await writeFile(join(machine.home, name), content, { mode: 0o644 });
  });
  afterAll(async () => {
    await client?.close();
    await way?.close();
    await machine?.remove();
  });

  const pathOf = (name: string): string => join(machine.home, name);
  const inputs = () => page.locator('input[type=file]');
  const openForm = async (): Promise<void> => {
    await page.goto(`runsheet://app/activities/run/${activity.Id}/`);
    await page.getByText('or drop it here').waitFor();
  };
  const choose = (index: number, ...names: string[]): Promise<void> =>
    inputs().nth(index).setInputFiles(names.map(pathOf));
  /** Returns the hash of an input's file on the server, for a run. */
  const storedHash = async (runId: number, parameterId: number, index: number): Promise<string> => {
    const token = await person.call<string>(`api/activities/input/download/${runId}/${parameterId}/${index}`);
    const answer = await fetch(`${portal.address}api/files/download/${token}`);
    return hashOf(new Uint8Array(await answer.arrayBuffer()));
  };

  test('uploads a file of several megabytes, and several at once, byte for byte', async () => {
    await openForm();
    const several = ['first.csv', 'second.csv', 'third.txt'];
    await choose(0, 'large.bin');
    await page.getByRole('button', { name: 'Remove large.bin' }).waitFor();
    await choose(1, ...several);
    const listed = (): Promise<string[]> =>
      page
        .getByRole('listitem')
        .getByText(/\.(bin|csv|txt)$/)
        .allInnerTexts();
    await expect.poll(listed).toEqual(['large.bin', 'first.csv', 'second.csv', 'third.txt']);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('The run was successful').waitFor();
    const query = { ActivityId: activity.Id, ApproxRows: 10 };
    const [run] = (await person.call<History>(runHistory.path.slice(1), query)).Runs;
    const [paper, papers] = activity.Inputs.map(({ Id }) => Id);
    const stored = [await storedHash(run!.Id, paper!, 0)];
    for (const index of several.keys()) stored.push(await storedHash(run!.Id, papers!, index));
    expect(stored).toEqual(['large.bin', ...several].map((name) => hashOf(files.get(name)!)));
  });

  test('uploads an empty file', async () => {
    await openForm();
    await choose(0, 'empty.txt');
    await page.getByRole('button', { name: 'Remove empty.txt' }).waitFor();
  });

  test('ends an upload that is cancelled, on the way to the server too', async () => {
    await openForm();
    const ended = way.takeOver(uploadFiles.path, (socket) => void socket.pause());
    await choose(0, 'large.bin');
    await page.getByRole('progressbar', { name: 'Uploading large.bin' }).waitFor();
    const socket = await ended.started;
    await page.getByRole('button', { name: 'Cancel' }).click();
    socket.resume();
    await ended.closed;
    await page.getByText('or drop it here').waitFor();
    expect(await page.getByText('Network error').count()).toBe(0);
    await choose(0, 'second.csv');
    await page.getByRole('button', { name: 'Remove second.csv' }).waitFor();
  });

  test('says why a file is refused in the middle of its upload', async () => {
    await openForm();
    const body = JSON.stringify({ Message: 'Size of the input file exceeds the limit of 1 MB' });
    const lines = [
      'HTTP/1.1 413 Payload Too Large',
      'content-type: application/json',
      `content-length: ${body.length}`,
      `x-server-time: ${new Date().toISOString()}`,
      'connection: close',
    ];
    const head = `${lines.join('\r\n')}\r\n\r\n`;
    const refusal = way.takeOver(uploadFiles.path, (socket) => void socket.end(head + body));
    await choose(0, 'large.bin');
    await refusal.closed;
    await page.getByText('Size of the input file exceeds the limit of 1 MB').waitFor();
    await choose(0, 'second.csv');
    await page.getByRole('button', { name: 'Remove second.csv' }).waitFor();
  });
});

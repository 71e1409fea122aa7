/** File uploads from pages of the desktop client, with a real server. */
import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { withPageKey } from '#bridge/page-key.ts';
import type { Upload } from '#bridge/uploads.ts';
import { inspectWorkbook } from '#shared/contract/workbook-inspection.ts';
import { wayTo, type Way } from '#test/desktop/support/way.ts';
import { playClient } from '#test/support/played-client.ts';
import { createDoor } from './door.ts';

const { played, only, keyOf, add, signInByPassword } = playClient();
const PATH = inspectWorkbook.path;

let way: Way | null = null;
afterEach(async () => {
  await way?.close();
  way = null;
});

async function uploadOf(handle: string, size: number): Promise<Upload> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(size).fill(7)]), 'large.xlsx');
  const encoded = new Response(form);
  return {
    Id: randomUUID(),
    Path: withPageKey(PATH, keyOf(only().portal!)),
    Authorization: handle === '' ? '' : `Bearer ${handle}`,
    ContentType: encoded.headers.get('content-type')!,
    Body: new Uint8Array(await encoded.arrayBuffer()),
  };
}

async function signInByWay(): Promise<string> {
  way = await wayTo(played.address);
  expect(await played.client.handlers.addServer(only(), way.address)).toMatchObject({ Problem: '' });
  return signInByPassword();
}

test('reach the server whole, with the session in place of its handle', async () => {
  await add();
  const upload = await uploadOf(await signInByPassword(), 3 * 1024 * 1024);
  const received: number[] = [];
  played.app.http.server.on('request', (request) => {
    if (request.url === PATH) received.push(Number(request.headers['content-length']));
  });
  // The user may not publish. For a user who is not signed in, the body is not even read.
  expect((await played.client.handlers.upload(only(), upload))?.Status).toBe(403);
  expect(received).toEqual([upload.Body.length]);
  const unknown = await played.client.handlers.upload(only(), { ...(await uploadOf('', 10)), Id: randomUUID() });
  expect(unknown?.Status).toBe(401);
});

test('that are cancelled end on the way to the server, and have no answer', async () => {
  const handle = await signInByWay();
  const taken = way!.takeOver(PATH, (socket) => void socket.pause());
  const upload = await uploadOf(handle, 8 * 1024 * 1024);
  const answer = played.client.handlers.upload(only(), upload);
  const socket = await taken.started;
  await played.client.handlers.cancelUpload(only(), upload.Id);
  expect(await answer).toBeNull();
  socket.resume();
  await taken.closed;
  // The server was reachable throughout.
  expect(only().portal!.connection.state()).toBe('online');
});

test('that are refused in their middle have the answer that came', async () => {
  const handle = await signInByWay();
  const body = '{"Message":"Too large"}';
  const head = `HTTP/1.1 413 Too Large\r\nx-server-time: ${new Date().toISOString()}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`;
  const taken = way!.takeOver(PATH, (socket) => void socket.end(head + body));
  const answer = await played.client.handlers.upload(only(), await uploadOf(handle, 100));
  expect(answer).toMatchObject({ Status: 413, Text: body });
  await taken.closed;
});

test('are taken from pages in their shape alone', async () => {
  await add();
  const refused: string[] = [];
  const door = createDoor(played.client.handlers, (text) => void refused.push(text));
  const sender = { caller: only(), url: 'runsheet://app/', isMainFrame: true };
  const upload = await uploadOf('', 10);
  const wrong: object[] = [
    { ...upload, Body: 'text' },
    { ...upload, Path: 'https://elsewhere.example.org/' },
    { ...upload, ContentType: 'application/json' },
    { ...upload, Headers: {} },
  ];
  for (const each of wrong) await expect(door('upload', sender, [each])).rejects.toThrow('refused');
  expect(refused).toHaveLength(wrong.length);
  expect(await door('upload', sender, [upload])).toMatchObject({ Status: 401 });
});

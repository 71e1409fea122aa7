/** Forms with files in a desktop window, sent through its bridge. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Upload, UploadAnswer, UploadDoor } from '#bridge/uploads.ts';

const sent: Upload[] = [];
const cancelled: string[] = [];
const noticed: boolean[] = [];
let answer: () => Promise<UploadAnswer | null>;

beforeEach(() => {
  vi.resetModules();
  for (const list of [sent, cancelled, noticed]) list.length = 0;
  const uploads: UploadDoor = {
    send: async (upload, onProgress) => {
      sent.push(upload);
      onProgress({ Id: upload.Id, Sent: 1, Total: 2 });
      return answer();
    },
    cancel: (id) => void cancelled.push(id),
  };
  const connection = { noticed: (isReached: boolean) => void noticed.push(isReached) };
  vi.stubGlobal('window', { runsheet: { uploads, connection } });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

function formOf(content: string): FormData {
  const form = new FormData();
  form.append('ActivityInputId', '5');
  form.append('files', new Blob([content]), 'Zürich.csv');
  return form;
}

test('is sent whole with the session, and reports how much was sent', async () => {
  const { sendForm } = await import('./send-form.ts');
  answer = async () => ({ Status: 200, Text: '{"Items":[]}', Headers: { 'x-server-time': 'now' } });
  const progress: object[] = [];
  const onProgress = (each: object): void => void progress.push(each);
  const reply = await sendForm('/api/files/upload?page-key=k', formOf('a;b'), 'handle', { onProgress });
  expect([reply.status, reply.text, reply.headers.get('x-server-time')]).toEqual([200, '{"Items":[]}', 'now']);
  expect(progress).toEqual([{ sent: 1, total: 2 }]);
  const [{ Path, Authorization, ContentType, Body }] = sent as [Upload];
  expect([Path, Authorization]).toEqual(['/api/files/upload?page-key=k', 'Bearer handle']);
  const form = await new Response(Body as BodyInit, { headers: { 'content-type': ContentType } }).formData();
  const file = form.get('files') as File;
  expect([form.get('ActivityInputId'), file.name, await file.text()]).toEqual(['5', 'Zürich.csv', 'a;b']);
});

test('says so where no answer came', async () => {
  const { sendForm } = await import('./send-form.ts');
  answer = async () => null;
  await expect(sendForm('/api/files/upload', formOf('a'), null, {})).rejects.toThrow('The upload was interrupted');
  expect([sent[0]!.Authorization, noticed]).toEqual(['', [false]]);
});

test('is cancelled by its signal, which is no failure of the network', async () => {
  const { sendForm } = await import('./send-form.ts');
  const stop = new AbortController();
  answer = async () => {
    stop.abort();
    return null;
  };
  const isAbort = expect.objectContaining({ name: 'AbortError' });
  await expect(sendForm('/api/files/upload', formOf('a'), null, { signal: stop.signal })).rejects.toEqual(isAbort);
  expect([cancelled, noticed]).toEqual([[sent[0]!.Id], []]);
  // Aborted before it started: nothing is sent.
  await expect(sendForm('/api/files/upload', formOf('a'), null, { signal: stop.signal })).rejects.toEqual(isAbort);
  expect(sent).toHaveLength(1);
});

test('names a file that can no longer be read as the cause', async () => {
  const { sendForm } = await import('./send-form.ts');
  const form = { toString: () => 'form' } as unknown as FormData;
  vi.spyOn(Response.prototype, 'arrayBuffer').mockRejectedValueOnce(new DOMException('gone', 'NotFoundError'));
  await expect(sendForm('/api/files/upload', form, null, {})).rejects.toThrow('A file was moved or changed');
  vi.restoreAllMocks();
  expect(sent).toEqual([]);
});

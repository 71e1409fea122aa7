import { expect, test } from 'vitest';
import { heedingAbort } from './heeding-abort.ts';

test('an answer that stays silent in its middle ends when its call is given up', async () => {
  const stopper = new AbortController();
  let cancelled: unknown;
  const silent = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from('{')),
    cancel: (reason) => void (cancelled = reason),
  });
  const answer = heedingAbort(new Response(silent, { status: 201, headers: { a: 'b' } }), stopper.signal);
  expect([answer.status, answer.headers.get('a')]).toEqual([201, 'b']);
  const read = answer.text();
  stopper.abort(new Error('given up'));
  await expect(read).rejects.toThrow('given up');
  expect(cancelled).toEqual(new Error('given up'));
});

test('an answer that comes to its end is whole, and one of a call that was given up before is none', async () => {
  const stopper = new AbortController();
  expect(await heedingAbort(new Response('whole'), stopper.signal).text()).toBe('whole');
  stopper.abort(new Error('given up'));
  await expect(heedingAbort(new Response('whole'), stopper.signal).text()).rejects.toThrow('given up');
});

test('who stops to read ends the answer, and a lost one fails', async () => {
  const stopper = new AbortController();
  let cancelled = '';
  const kept = new ReadableStream<Uint8Array>({ cancel: (reason) => void (cancelled = String(reason)) });
  await heedingAbort(new Response(kept), stopper.signal).body!.cancel('enough');
  expect(cancelled).toBe('enough');
  const lost = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error('lost')) });
  await expect(heedingAbort(new Response(lost), stopper.signal).text()).rejects.toThrow('lost');
});

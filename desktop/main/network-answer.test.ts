import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { until } from '#test/support/until.ts';
import { answerOf, watchContent } from './network-answer.ts';

const whole = (text: string): Readable => Readable.from(text === '' ? [] : [Buffer.from(text)]);

/** A stream that sends one character and then stalls. */
const silent = (): Readable => {
  const content = new Readable({ read: () => undefined });
  content.push('{');
  return content;
};

const ends: boolean[] = [];
const watched = (content: Readable, { signal, status = 200 }: { signal?: AbortSignal; status?: number } = {}) => {
  watchContent(content, { signal, onEnd: (isComplete) => void ends.push(isComplete) });
  return answerOf({ status, statusText: 'Fine', headers: { a: 'b', c: 'd, e' }, content });
};
const endsOf = async (): Promise<boolean[]> => {
  await until('the end', () => ends.length > 0);
  return ends.splice(0);
};

test('an answer has the status, headers and content of its message, and reports its end once', async () => {
  const answer = watched(whole('content'), { status: 201 });
  expect([answer.status, answer.statusText, Object.fromEntries(answer.headers)]).toEqual([
    201,
    'Fine',
    { a: 'b', c: 'd, e' },
  ]);
  expect(ends).toEqual([]);
  expect(await answer.text()).toBe('content');
  expect(await endsOf()).toEqual([true]);
});

test('an answer that has no content by its status ends though nobody reads it', async () => {
  for (const status of [204, 205, 304]) {
    const answer = watched(whole(''), { status });
    expect([answer.status, answer.body]).toEqual([status, null]);
    expect(await endsOf()).toEqual([true]);
  }
});

test('an answer that stays silent in its middle ends when its call is given up', async () => {
  const stopper = new AbortController();
  const read = watched(silent(), stopper).text();
  stopper.abort(new Error('given up'));
  await expect(read).rejects.toThrow('given up');
  expect(await endsOf()).toEqual([false]);
  await expect(watched(whole('late'), stopper).text()).rejects.toThrow('given up');
  expect(await endsOf()).toEqual([false]);
});

test('a call that is given up after its answer was read changes nothing', async () => {
  const stopper = new AbortController();
  expect(await watched(whole('content'), stopper).text()).toBe('content');
  expect(await endsOf()).toEqual([true]);
  stopper.abort(new Error('given up'));
  expect(ends).toEqual([]);
});

test('who stops to read ends the call, which is no loss', async () => {
  const content = silent();
  let losses = 0;
  content.on('error', () => (losses += 1));
  await watched(content).body!.cancel('enough');
  expect([await endsOf(), content.destroyed, losses]).toEqual([[false], true, 0]);
});

test('reading an answer fails where it is lost in its middle, with an error or without one', async () => {
  for (const [error, expected] of [
    [new Error('net::ERR_CONNECTION_RESET'), 'net::ERR_CONNECTION_RESET'],
    [undefined, 'The answer was lost in its middle'],
  ] as const) {
    const content = silent();
    const read = watched(content).text();
    content.destroy(error);
    await expect(read).rejects.toThrow(expected);
    expect(await endsOf()).toEqual([false]);
  }
});

test('reading an answer fails where it was lost before anybody read it', async () => {
  const content = silent();
  watchContent(content, { signal: undefined, onEnd: (isComplete) => void ends.push(isComplete) });
  content.destroy(new Error('net::ERR_CONNECTION_RESET'));
  expect(await endsOf()).toEqual([false]);
  const answer = answerOf({ status: 200, statusText: '', headers: {}, content });
  await expect(answer.text()).rejects.toThrow('net::ERR_CONNECTION_RESET');
});

test('one without content that is lost harms nothing', async () => {
  const content = silent();
  expect(watched(content, { status: 204 }).body).toBe(null);
  content.destroy(new Error('lost'));
  expect(await endsOf()).toEqual([false]);
});

test('a large answer is taken from the network no faster than it is read', async () => {
  const PART = Buffer.alloc(65_536);
  const PARTS = 200;
  let pushed = 0;
  const content = new Readable({
    read() {
      this.push(pushed < PARTS ? PART : null);
      pushed += 1;
    },
  });
  const reader = watched(content).body!.getReader();
  let size = (await reader.read()).value!.length;
  // One turn of the event loop, in which more data would arrive.
  await new Promise((resolve) => setImmediate(resolve));
  expect(pushed).toBeLessThan(10);
  for (let read = await reader.read(); !read.done; read = await reader.read()) size += read.value.length;
  expect(size).toBe(PARTS * PART.length);
  expect(await endsOf()).toEqual([true]);
});

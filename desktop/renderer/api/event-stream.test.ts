import { describe, expect, it } from 'vitest';
import { createEventParser, readEvents, type ServerEvent } from './event-stream.ts';

const TEXT = 'retry: 3000\n\n:\n\nevent: run\ndata: {"a":1}\n\ndata:one\r\ndata: two\r\n\r\nevent: x\n\ndata: ü\r\r';
const EVENTS = [
  { type: 'run', data: '{"a":1}' },
  { type: 'message', data: 'one\ntwo' },
];

describe('server-sent events', () => {
  it('are the same wherever the stream is cut', () => {
    for (let size = 1; size <= TEXT.length; size += 1) {
      const parse = createEventParser();
      const events: ServerEvent[] = [];
      for (let from = 0; from < TEXT.length; from += size) events.push(...parse(TEXT.slice(from, from + size)));
      // A line that ends with a lone CR is complete only when the next chunk arrives.
      events.push(...parse('\n'));
      expect(events).toEqual([...EVENTS, { type: 'message', data: 'ü' }]);
    }
  });
  it('that are incomplete are not delivered', () => {
    expect(createEventParser()('event: run\ndata: {"a"')).toEqual([]);
  });
});

describe('a stream of events', () => {
  const bytes = new TextEncoder().encode('data: ü\n\n');
  it('is read to its end, letters cut in two included', async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const events: ServerEvent[] = [];
    await readEvents(body, { silence: 10_000, onEvent: (event) => void events.push(event), onSign: () => undefined });
    expect(events).toEqual([{ type: 'message', data: 'ü' }]);
  });
  it('that says nothing for too long is given up, and let go', async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({ cancel: () => void (cancelled = true) });
    const reading = readEvents(body, { silence: 20, onEvent: () => undefined, onSign: () => undefined });
    await expect(reading).rejects.toThrow('stopped arriving');
    expect(cancelled).toBe(true);
  });
});

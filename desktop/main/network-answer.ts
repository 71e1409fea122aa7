/** Answers of servers, while they come and as whoever has asked reads them. */
import type { Readable } from 'node:stream';
import type { StreamedAnswer } from './ports.ts';

export interface ContentWatch {
  /** Ends it with its reason: Chromium is silent about some answers whose connection is lost in their middle, and about a call that is given up by then. */
  signal: AbortSignal | undefined;
  /** Called once. @param isWhole false of what was lost, and where its reader has had enough */
  onEnd: (isWhole: boolean) => void;
}

/** Of an answer's content; to be called before that is read. */
export function watchContent(content: Readable, { signal, onEnd }: ContentWatch): void {
  const onAbort = (): void => void content.destroy(asError(signal!.reason));
  // Its reader hears of what is lost; where there is none, nobody misses it.
  content.on('error', () => undefined);
  content.once('close', () => {
    signal?.removeEventListener('abort', onAbort);
    onEnd(content.readableEnded);
  });
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

const WITHOUT_CONTENT = new Set([101, 204, 205, 304]);

/** Reading its content rejects where it is lost in its middle; who stops to read ends it, and with it the call. */
export function answerOf({ status, statusText, headers, content }: StreamedAnswer, passed = headers): Response {
  const init = { status, statusText, headers: passed };
  if (!WITHOUT_CONTENT.has(status)) return new Response(streamOf(content), init);
  content.resume();
  return new Response(null, init);
}

function streamOf(content: Readable): ReadableStream<Uint8Array> {
  let isOver = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const end = (finish: () => void): void => {
        if (!isOver) finish();
        isOver = true;
      };
      const fail = (error: Error): void => end(() => controller.error(error));
      content.on('data', (part: Uint8Array) => {
        // What was on its way when its reader had enough.
        if (isOver) return;
        controller.enqueue(part);
        if (controller.desiredSize! <= 0) content.pause();
      });
      content.once('end', () => end(() => controller.close()));
      content.once('error', fail);
      content.once('close', () => fail(new Error('The answer was lost in its middle')));
      if (content.destroyed) fail(content.errored ?? new Error('The answer was lost'));
    },
    pull: () => void content.resume(),
    cancel() {
      isOver = true;
      // Without an error: it was not lost.
      content.destroy();
    },
  });
}

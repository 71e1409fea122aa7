/** Streams server responses to their readers. */
import type { Readable } from 'node:stream';
import type { StreamedAnswer } from './ports.ts';

export interface ContentWatch {
  /**
   * Aborting destroys the content with the signal's reason. Needed because Chromium reports nothing for some responses
   * whose connection is lost midway, or for calls aborted by then.
   */
  signal: AbortSignal | undefined;
  /** Called once. @param isWhole false if the content was lost, or if its reader stopped early */
  onEnd: (isComplete: boolean) => void;
}

/** Watches the content of a response; must be called before it is read. */
export function watchContent(content: Readable, { signal, onEnd }: ContentWatch): void {
  const onAbort = (): void => void content.destroy(asError(signal!.reason));
  // The reader receives the error; without a reader, it can be ignored.
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

/**
 * Returns a Response whose content rejects if the connection is lost midway. If the reader cancels, the call ends as
 * well.
 */
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
        // Data still in transit after the reader cancelled.
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
      // Without an error, because the content was not lost.
      content.destroy();
    },
  });
}

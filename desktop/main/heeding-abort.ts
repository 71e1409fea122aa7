/**
 * The same answer, whose body ends with an error once the call is given up. Chromium's network is silent about some answers whose
 * connection is lost in their middle, and about an abort by then: who reads would wait for ever.
 */
export function heedingAbort(response: Response, signal: AbortSignal): Response {
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  const reader = response.body.getReader();
  let stopListening = (): void => undefined;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const onAbort = (): void => {
        controller.error(signal.reason);
        reader.cancel(signal.reason).catch(() => undefined);
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      stopListening = () => signal.removeEventListener('abort', onAbort);
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (signal.aborted) return;
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        if (!signal.aborted) controller.error(error);
      }
      stopListening();
    },
    async cancel(reason) {
      stopListening();
      await reader.cancel(reason);
    },
  });
  return new Response(stream, { status, statusText, headers });
}

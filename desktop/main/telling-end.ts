/** The same answer; tells once when its body has come to its end, was lost, or is not wanted any more. */
export function tellingEnd(response: Response, onEnd: () => void): Response {
  const { status, statusText, headers } = response;
  if (response.body === null) {
    onEnd();
    return response;
  }
  const reader = response.body.getReader();
  let hasEnded = false;
  const end = (): void => {
    if (!hasEnded) onEnd();
    hasEnded = true;
  };
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      end();
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
  return new Response(stream, { status, statusText, headers });
}

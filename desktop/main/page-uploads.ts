/**
 * Uploads that pages pass on as messages: each is handled like the page's other calls and ends when its page cancels
 * it.
 */
import type { Handlers } from '#bridge/messages.ts';
import type { ClientWindow } from './client-windows.ts';
import { APP_ORIGIN } from './portal-protocol.ts';

export function uploadHandlers(): Pick<Handlers<ClientWindow>, 'upload' | 'cancelUpload'> {
  /** By their ids, which their pages generate at random. */
  const running = new Map<string, AbortController>();
  return {
    upload: async (window, { Id, Path, Authorization, ContentType, Body }) => {
      const { portal } = window;
      if (!portal || running.has(Id)) return null;
      const stop = new AbortController();
      running.set(Id, stop);
      const headers = {
        'content-type': ContentType,
        ...(Authorization === '' ? {} : { authorization: Authorization }),
      };
      const onSent = (Sent: number, Total: number): void => window.publish('uploadProgress', { Id, Sent, Total });
      try {
        const request = new Request(APP_ORIGIN + Path, { method: 'POST', headers, body: Body as BodyInit });
        const response = await portal.handle(request, { signal: stop.signal, onSent });
        return { Status: response.status, Text: await response.text(), Headers: Object.fromEntries(response.headers) };
      } catch {
        return null;
      } finally {
        running.delete(Id);
      }
    },
    cancelUpload: (_window, id) => {
      running.get(id)?.abort();
      return null;
    },
  };
}

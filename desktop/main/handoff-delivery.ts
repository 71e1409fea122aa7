/** Delivers a code to a program on this computer, like a browser that is redirected by the portal's page. */
import { request } from 'node:http';

const DELIVERY_TIMEOUT_MS = 20_000;

/**
 * Uses no proxy and follows no redirect: only the result in the redirect address is read.
 * @param port port on 127.0.0.1 @returns 'success' if the program confirms that it has its session
 */
export function bringCode(
  port: number,
  code: string,
  state: string,
  timeoutMs = DELIVERY_TIMEOUT_MS,
): Promise<'success' | 'failure'> {
  const path = `/?${new URLSearchParams({ code, state }).toString()}`;
  return new Promise((resolve) => {
    const call = request({ host: '127.0.0.1', port, path, agent: false, maxHeaderSize: 8192 }, (response) => {
      const { statusCode, headers } = response;
      resolve(statusCode === 303 && resultOf(headers.location) === 'success' ? 'success' : 'failure');
      response.destroy();
    });
    call.on('error', () => resolve('failure'));
    // A total timeout instead of an idle timeout, so that a program that responds very slowly cannot block the window.
    const timer = setTimeout(() => call.destroy(new Error('too late')), timeoutMs);
    call.on('close', () => clearTimeout(timer));
    call.end();
  });
}

function resultOf(location: string | undefined): string | null {
  try {
    return new URL(location ?? '').searchParams.get('result');
  } catch {
    return null;
  }
}

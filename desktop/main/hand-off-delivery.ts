/** Brings a code to a program on this computer, as a browser that follows the portal's page would. */
import { request } from 'node:http';

const PATIENCE_MS = 20_000;

/**
 * By no proxy, and following nothing: of where the program leads to only the result is read.
 * @param port of 127.0.0.1 @returns 'success' where the program says that it has its session
 */
export function bringCode(
  port: number,
  code: string,
  state: string,
  patienceMs = PATIENCE_MS,
): Promise<'success' | 'failure'> {
  const path = `/?${new URLSearchParams({ code, state }).toString()}`;
  return new Promise((resolve) => {
    const call = request({ host: '127.0.0.1', port, path, agent: false, maxHeaderSize: 8192 }, (response) => {
      const { statusCode, headers } = response;
      resolve(statusCode === 303 && resultOf(headers.location) === 'success' ? 'success' : 'failure');
      response.destroy();
    });
    call.on('error', () => resolve('failure'));
    // By the clock, not by silence: a program that answers drop by drop must not hold the window.
    const timer = setTimeout(() => call.destroy(new Error('too late')), patienceMs);
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

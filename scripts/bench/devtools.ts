/**
 * Evaluates single expressions in pages without an automation tool. Such a tool receives events for each call of a
 * page, which takes time from the page.
 */
import { once } from 'node:events';
import { until } from '#test/support/until.ts';

/** Arguments that make a program open its DevTools port. */
export const DEVTOOLS_ARGS = ['--remote-debugging-port=0', '--remote-allow-origins=*'];

/**
 * Returns the DevTools port that the program chose. @param log returns what the program has written to stderr so far
 */
export const devtoolsPort = async (log: () => string): Promise<number> =>
  Number(await until('the port', () => /ws:\/\/127\.0\.0\.1:(\d+)/.exec(log())?.[1], 60_000));

interface Evaluated<T> {
  result: { result: { value: T }; exceptionDetails?: { exception?: { description?: string } } };
}

/**
 * Evaluates an expression in the page whose URL starts with `address`, and waits if the result is a promise. Returns
 * null if there is no such page.
 */
export async function evaluateIn<T>(port: number, address: string, expression: string): Promise<T | null> {
  const pages = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as Record<string, string>[];
  const page = pages.find(({ url }) => url?.startsWith(address));
  if (!page) return null;
  const socket = new WebSocket(page['webSocketDebuggerUrl']!);
  await once(socket, 'open');
  const params = { expression, awaitPromise: true, returnByValue: true };
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params }));
  const [{ data }] = (await once(socket, 'message')) as [{ data: string }];
  socket.close();
  const { result, exceptionDetails } = (JSON.parse(data) as Evaluated<T>).result;
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? expression);
  return result.value;
}

/** Pages that nothing drives but a question now and then: what drives a browser hears of each of its calls, which takes its time. */
import { once } from 'node:events';
import { until } from '#test/support/until.ts';

/** What a program that is asked for it needs as arguments. */
export const DEVTOOLS_ARGS = ['--remote-debugging-port=0', '--remote-allow-origins=*'];

/** The port that it chose. @param log what it has written to its stderr by now */
export const devtoolsPort = async (log: () => string): Promise<number> =>
  Number(await until('the port', () => /ws:\/\/127\.0\.0\.1:(\d+)/.exec(log())?.[1], 60_000));

interface Evaluated<T> {
  result: { result: { value: T }; exceptionDetails?: { exception?: { description?: string } } };
}

/** Evaluates an expression in the page whose address begins so; what it promises is waited for. Null where there is no such page. */
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

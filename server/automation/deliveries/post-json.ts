/**
 * Sends JSON to a URL that a person entered. The IP address of its host is checked when the connection is made, so the
 * name cannot resolve to a different one in between. Redirects are not followed.
 */
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { counted } from '#shared/codecs/counted.ts';

export interface PostOptions {
  headers?: Record<string, string>;
  /** Private addresses and ranges that may be reached. */
  allowed: readonly string[];
  /** Time limit in milliseconds, from resolving the name to the end of the response. */
  timeLimit: number;
  signal?: AbortSignal;
}

/** The outcome. */
export interface Posted {
  /** Null if there was no response. */
  StatusCode: number | null;
  /** Why it was not delivered, for people; null if it was. */
  Error: string | null;
  /** The beginning of the response. */
  Answer: string;
}

const ANSWER_MAX_BYTES = 65_536;
const MAX_STORED_RESPONSE_LENGTH = 1000;
export const EVERYWHERE = ['0.0.0.0/0', '::/0'];

export const PRIVATE_ADDRESS = 'The address is private, which the settings do not allow';
export const HTTPS_ONLY = 'Only https is allowed for this address';

export async function postJson(url: string, body: string, options: PostOptions): Promise<Posted> {
  const late = AbortSignal.timeout(options.timeLimit);
  const signal = options.signal ? AbortSignal.any([late, options.signal]) : late;
  try {
    const { StatusCode, Answer } = await send(new URL(url), body, { ...options, signal });
    return { StatusCode, Answer, Error: problemOf(StatusCode) };
  } catch (error) {
    options.signal?.throwIfAborted();
    const text = late.aborted ? lateText(options.timeLimit) : reasonOf(error as NodeJS.ErrnoException);
    return { StatusCode: null, Answer: '', Error: text };
  }
}

export const lateText = (milliseconds: number): string =>
  `It did not respond within ${counted(Math.round(milliseconds / 1000), 'second')}`;

function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `It answered ${status}: redirects are not followed`;
  return `It answered ${status}`;
}

async function send(
  url: URL,
  body: string,
  { headers, allowed, signal }: PostOptions,
): Promise<{ StatusCode: number; Answer: string }> {
  const allowIPAddressList = [...allowed];
  const isPlain = url.protocol === 'http:';
  // Without encryption, nothing is sent to addresses that are not explicitly allowed.
  const agent = isPlain
    ? new RequestFilteringHttpAgent({ allowIPAddressList, denyIPAddressList: EVERYWHERE })
    : new RequestFilteringHttpsAgent({ allowIPAddressList });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = (isPlain ? requestHttp : requestHttps)(
    url,
    {
      method: 'POST',
      agent,
      signal,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Runsheet',
        connection: 'close',
        ...headers,
      },
    },
    resolve,
  );
  request.on('error', reject);
  request.end(body);
  try {
    const answer = await promise;
    return { StatusCode: answer.statusCode ?? 0, Answer: await beginningOf(answer) };
  } finally {
    request.destroy();
    agent.destroy();
  }
}

async function beginningOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size >= ANSWER_MAX_BYTES) break;
  }
  const text = Buffer.concat(chunks).toString('utf8');
  // oxlint-disable-next-line no-control-regex -- PostgreSQL keeps no null in a text
  return text.replaceAll(/\u0000/g, '').slice(0, MAX_STORED_RESPONSE_LENGTH);
}

/** Returns why a connection failed, for people. */
export function reasonOf({ code = '', message }: NodeJS.ErrnoException): string {
  if (/is private IP address|is meta IP address/i.test(message)) return PRIVATE_ADDRESS;
  if (/denyIPAddressList/.test(message)) return HTTPS_ONLY;
  if (['ENOTFOUND', 'EAI_AGAIN'].includes(code)) return 'The host name of the address was not found';
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code)) return 'Its certificate is not trusted';
  return `It cannot be reached${code === '' ? '' : `: ${code}`}`;
}

/** Recognises responses that a proxy, a gateway or a network sign-in page sends in place of the server. */
import { SERVER_TIME_HEADER } from '#shared/contract/headers.ts';
import { AppFailure } from './app-failure.ts';

export interface ReceivedAnswer {
  status: number;
  /** Empty over HTTP/2. */
  statusText: string;
  headers: Headers;
  text: string;
  /** The text as JSON; undefined or null if it is not JSON. */
  answer: unknown;
}

/** The server sends its time with every response; programs that relay a response keep this header. */
export const isOfServer = (headers: Headers): boolean => headers.has(SERVER_TIME_HEADER);

/**
 * Returns the failure if something else answered in place of the server; otherwise null. Its status is 0, because the
 * server has not answered: nobody is signed out, and nothing counts as forbidden or missing. Refusals that a desktop
 * client writes itself have the server's form, but not its header. A 401 without that header never counts as the
 * server's, because gateways write it in the same form.
 */
export function failureOfProxy({ status, statusText, headers, text, answer }: ReceivedAnswer): AppFailure | null {
  if (isOfServer(headers) || (status !== 401 && hasForm(answer))) return null;
  // A server that fails before it can write a response sends 500 too.
  if (status < 400 || status === 500) return null;
  const title = titleOf(text) || statusText;
  const said = title.startsWith(String(status)) ? title : `${status} ${title}`.trim();
  return new AppFailure(
    `Network error: A proxy or gateway answered in place of the server: ${said}. Check your network connection, and try again.`,
  );
}

function hasForm(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return false;
  const { message, Message, error } = answer as Record<string, unknown>;
  return [message, Message, error].some((text) => typeof text === 'string');
}

const TITLE_MAX = 100;

/** Returns the title of an HTML page; '' if there is none. */
function titleOf(text: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1] ?? '';
  return title.replaceAll(/\s+/g, ' ').trim().slice(0, TITLE_MAX);
}

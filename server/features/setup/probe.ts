/** Requests one page of an address of the settings, and looks at the certificate. */
import { get as getPlain, type IncomingMessage } from 'node:http';
import { get as getSecure } from 'node:https';
import { TLSSocket } from 'node:tls';

export interface ProbedPage {
  status: number;
  /** At most MAX_BODY bytes of it. */
  body: string;
  /** When the certificate ends, in milliseconds since 1970; null without encryption. */
  certificateEnd: number | null;
}

const MAX_BODY = 100_000;

/** Follows no redirects. Rejects if nothing answers, or if the certificate is not trusted. */
export async function probe(address: string, signal: AbortSignal): Promise<ProbedPage> {
  const get = address.startsWith('https:') ? getSecure : getPlain;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    // Without an agent, each probe opens its own connection and sees the current certificate.
    get(address, { signal, agent: false, headers: { accept: '*/*' } }, resolve).on('error', reject);
  });
  const { socket } = response;
  const end = socket instanceof TLSSocket ? Date.parse(socket.getPeerCertificate().valid_to) : null;
  let body = '';
  response.setEncoding('utf8');
  for await (const chunk of response) {
    body += String(chunk);
    if (body.length > MAX_BODY) break;
  }
  return { status: response.statusCode ?? 0, body, certificateEnd: end };
}

/** Returns whether a probe failed because of the certificate. */
export function isDistrust(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code);
}

/** Returns a JSON object; {} for anything else. */
export function jsonOf(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

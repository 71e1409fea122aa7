import { describe, expect, it } from 'vitest';
import { failureOfProxy } from './proxy-answer.ts';

const OF_SERVER = { 'x-server-time': '2026-03-01T09:00:00Z' };

interface Sent {
  text?: string;
  statusText?: string;
  headers?: Record<string, string>;
}

function failureOf(status: number, { text = '', statusText = '', headers = {} }: Sent = {}) {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    answer = null;
  }
  return failureOfProxy({ status, statusText, headers: new Headers(headers), text, answer });
}

describe('a response of a proxy', () => {
  it('counts as no response of the server, whatever its status', () => {
    for (const status of [401, 403, 404, 407, 413, 429, 502, 503, 504])
      expect(failureOf(status, { text: '<p>no</p>' }), String(status)).toMatchObject({ status: 0 });
  });

  it('is named by the title of its page, else by its status', () => {
    const said = (status: number, sent?: Sent): string | undefined =>
      /server: (.*?)\. Check/.exec(failureOf(status, sent)?.message ?? '')?.[1];
    expect(said(502, { text: '<title>502 Bad Gateway</title>' })).toBe('502 Bad Gateway');
    expect(said(403, { text: '<TITLE lang="en">\n Blocked\n by policy </TITLE>' })).toBe('403 Blocked by policy');
    expect(said(504, { statusText: 'Gateway Timeout' })).toBe('504 Gateway Timeout');
    expect(said(503)).toBe('503');
    expect(said(404, { text: `<title>${'x'.repeat(1000)}</title>` })).toHaveLength(104);
  });
});

describe('a response of the server', () => {
  it('is known by its time, even if its content is unreadable', () => {
    for (const status of [401, 403, 404, 502, 503])
      expect(failureOf(status, { headers: OF_SERVER }), String(status)).toBeNull();
  });

  it('is known by its form where a desktop client refuses a call, except as the end of a session', () => {
    for (const text of ['{"message":""}', '{"Message":"Full"}', '{"error":"invalid_grant"}']) {
      expect(failureOf(400, { text })).toBeNull();
      expect(failureOf(401, { text })).not.toBeNull();
    }
  });

  it('may be the failure of a server that could write no response', () => {
    expect(failureOf(500)).toBeNull();
  });
});

import { expect, test } from 'vitest';
import { asData } from './server-data.ts';

const answer = (type: string): Headers =>
  asData(new Response('x', { headers: { 'content-type': type, 'content-security-policy': 'script-src *' } })).headers;

test.each([
  'text/javascript',
  'application/javascript; charset=utf-8',
  'text/css',
  'application/wasm',
  'application/xhtml+xml',
])('what a server sends as %s is no script, style or page of ours', (type) => {
  expect(answer(type).get('content-type')).toBe('application/octet-stream');
});

test('answers keep their type, are not sniffed, and may do nothing as a page', () => {
  for (const type of ['application/json; charset=utf-8', 'text/html', 'text/event-stream', 'image/png']) {
    const headers = answer(type);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; sandbox");
  }
});

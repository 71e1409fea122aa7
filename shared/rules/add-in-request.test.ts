import { expect, test } from 'vitest';
import { codeDeliveryAddress, readAddInStart } from './add-in-request.ts';

const CHALLENGE = 'x'.repeat(43);
const read = (text: string) => readAddInStart(new URLSearchParams(text));

test('a program asks with its kind, its port, the hash of its proof key and its state', () => {
  const request = { kind: 'excel', port: 49_152, challenge: CHALLENGE, state: 'abc' };
  expect(read(`c=excel:49152&challenge=${CHALLENGE}&state=abc`)).toEqual({ kind: 'request', request });
  expect(read(`c=excel&challenge=${CHALLENGE}`)).toMatchObject({ request: { port: null, state: '' } });
  expect(codeDeliveryAddress(request, 'a&b')).toBe('http://127.0.0.1:49152/?code=a%26b&state=abc');
});

test('a window of the program itself is marked by its own value, and has no port', () => {
  expect(read(`c=excel&challenge=${CHALLENGE}&state=a&dialog=1`)).toMatchObject({ request: { isDialog: true } });
  expect(read(`c=excel:49152&challenge=${CHALLENGE}&dialog=1`)).toEqual(read(`c=excel:49152&challenge=${CHALLENGE}`));
});

test.each(['', 'c=', 'c=web', 'sso=1'])('%j is no such request', (text) => {
  expect(read(text)).toEqual({ kind: 'none' });
});

test.each([
  'c=excel:49152',
  `c=excel:80&challenge=${CHALLENGE}`,
  `c=excel:70000&challenge=${CHALLENGE}`,
  `c=excel:49152@evil&challenge=${CHALLENGE}`,
  `c=//evil:49152&challenge=${CHALLENGE}`,
  `c=excel:49152&challenge=short`,
  `c=excel:49152&challenge=${CHALLENGE}&state=<b>`,
  'c=excel&result=other',
])('%s has failed', (text) => {
  expect(read(text)).toEqual({ kind: 'result', result: 'failure' });
});

test('the outcome of a session handoff is one word', () => {
  expect(read('c=excel:49152&result=success')).toEqual({ kind: 'result', result: 'success' });
});

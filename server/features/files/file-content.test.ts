import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contentIssue } from './file-content.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const ZIP = bytes('PK\u0003\u0004rest');
const OLE = bytes('\u00d0\u00cf\u0011\u00e0\u00a1\u00b1');

test.each([
  ['book.xlsx', ZIP],
  ['with password.XLSM', OLE],
  ['letter.pdf', bytes('\r\n%PDF-1.7')],
  ['a.png', bytes('\u0089PNG\r\n')],
  ['a.jpeg', bytes('\u00ff\u00d8\u00ff\u00e0')],
  ['a.webp', bytes('RIFF\u0001\u0002\u0003\u0004WEBP')],
  ['data.csv', bytes('a;b\r\n1;2')],
  ['utf16.csv', Buffer.from('\ufeffa;b', 'utf16le')],
  ['empty.txt', bytes('')],
  ['unknown.dat', ZIP],
  ['no extension', OLE],
])('%s is what its name says', (name, head) => {
  expect(contentIssue(name, head)).toBeNull();
});

test.each([
  ['book.xlsx', bytes('<html>')],
  ['empty.xlsx', bytes('')],
  ['data.csv', ZIP],
  ['data.csv', bytes('MZ\u0090')],
  ['report.pdf', bytes('MZ%')],
  ['picture.png', bytes('\u00ff\u00d8\u00ff')],
  ['picture.jpg', bytes('<svg')],
  ['notes.txt', bytes('%PDF-1.4')],
])('%s is refused where it begins with something else', (name, head) => {
  expect(contentIssue(name, head)).toMatch(/is not what its name says/);
});

test('the samples of the portal are what they say', () => {
  const folder = new URL('../../../samples/files/', import.meta.url);
  const issues = readdirSync(folder).map((name) => contentIssue(name, readFileSync(new URL(name, folder))));
  expect(issues.filter((issue) => issue !== null)).toEqual([]);
});

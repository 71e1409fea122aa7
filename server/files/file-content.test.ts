import { expect, test } from 'vitest';
import { contentIssue } from './file-content.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

test.each([
  ['book.xlsx', bytes('PK\u0003\u0004rest')],
  ['export.xls', bytes('<html><table>')],
  ['empty.xlsx', bytes('')],
  ['zones.csv', bytes('MZ;Name\r\n1;2')],
  ['utf16.csv', Buffer.from('\ufeffa;b', 'utf16le')],
  ['tool.exe', bytes('MZ\u0090\u0000\u0003')],
  ['no extension', bytes('\u007fELF')],
])('%s is taken', (name, head) => {
  expect(contentIssue(name, head)).toBeNull();
});

test.each([
  ['book.xlsx', bytes('MZ\u0090\u0000\u0003')],
  ['data.csv', bytes('MZ\u0090\u0000\u0003')],
  ['REPORT.PDF', bytes('\u007fELF\u0002')],
])('%s is refused where it is a program', (name, head) => {
  expect(contentIssue(name, head)).toMatch(/ is a program, not the \.\w+ file that its name suggests/);
});

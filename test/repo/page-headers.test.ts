/** A program that forwards responses to pages must forward the headers that pages read; the contract names them. */
import { expect, test } from 'vitest';
import * as contract from '#shared/contract/headers.ts';
import { isTest, listFiles, readText } from './source-files.ts';

const READ = /(?:headers\.(?:get|has)|getResponseHeader)\(\s*([^)\s]+)\s*\)/g;
/** Headers added by the program itself. */
const OWN: string[] = [contract.STORED_AT_HEADER];

test('pages read no header of an answer that the contract does not name for them', () => {
  const paths = ['desktop/renderer', 'desktop/bridge'].flatMap((folder) => listFiles(folder, /\.tsx?$/));
  const read = paths
    .filter((path) => !isTest(path))
    .flatMap((path) => [...readText(path).matchAll(READ)].map(([, name]) => ({ path, name: name! })));
  const named = new Map<string, unknown>(Object.entries(contract));
  const valueOf = (name: string): unknown => named.get(name) ?? name.replace(/'/g, '');
  const passed: unknown[] = [...contract.READ_BY_PAGES, ...OWN];
  expect(read.length).toBeGreaterThan(3);
  expect(read.filter(({ name }) => !passed.includes(valueOf(name)))).toEqual([]);
});

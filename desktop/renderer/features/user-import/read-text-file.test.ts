import { expect, test } from 'vitest';
import { readTextFile } from './read-text-file.ts';

test('reads the encodings in which spreadsheet programs write text', async () => {
  const read = (bytes: Uint8Array<ArrayBuffer>) => readTextFile(new Blob([bytes]));
  expect(await read(new TextEncoder().encode('Jörg'))).toBe('Jörg');
  expect(await read(Uint8Array.from([0x4a, 0xf6, 0x72, 0x67]))).toBe('Jörg');
  expect(await read(Uint8Array.from([0xff, 0xfe, 0x4a, 0, 0xf6, 0, 0x72, 0, 0x67, 0]))).toBe('Jörg');
});

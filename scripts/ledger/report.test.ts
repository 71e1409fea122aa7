import { expect, test } from 'vitest';
import { findOverruns, formatLedger, parseLedger } from './report.ts';
import { parseCpuSeconds } from './stage.ts';

const LINES = [
  '{"stage":"check","wallSeconds":41.26,"cpuSeconds":70.04}',
  '{"file":"server/quick.test.ts","wallSeconds":1.5}',
  '{"file":"test/e2e/slow.test.ts","wallSeconds":12.04}',
  '{"stage":"tests: browser","wallSeconds":300,"cpuSeconds":null}',
  '{"stage":"whole run","wallSeconds":899.96,"cpuSeconds":1800}',
].join('\n');

test('the table has the stages as they ended, and the slowest files first', () => {
  expect(formatLedger(parseLedger(`${LINES}\n`)).split('\n')).toEqual([
    'Stage                                         wall s       CPU s',
    'check                                           41.3        70.0',
    'tests: browser                                 300.0           –',
    'whole run                                      900.0      1800.0',
    '',
    'The slowest 2 of 2 test files, with their imports and hooks:',
    '    12.0 s  test/e2e/slow.test.ts',
    '     1.5 s  server/quick.test.ts',
  ]);
});

test('a run is over the budget by its wall time or its processor time', () => {
  expect(findOverruns({ wallSeconds: 900, cpuSeconds: 1800 })).toEqual([]);
  expect(findOverruns({ wallSeconds: 900, cpuSeconds: null })).toEqual([]);
  expect(findOverruns({ wallSeconds: 901, cpuSeconds: 1900.12 })).toEqual([
    '901.0 wall seconds, of at most 900',
    '1900.1 CPU seconds, of at most 1800',
  ]);
});

test('processor time is read from a control group, and from a process whose name has spaces', () => {
  expect(parseCpuSeconds('usage_usec 2500000\nuser_usec 2000000\nsystem_usec 500000\n')).toBe(2.5);
  expect(parseCpuSeconds('7 (a ) b) S 1 7 7 0 -1 4194560 9 9 0 0 150 50 20 30 20 0 1 0 5\n')).toBe(2.5);
});

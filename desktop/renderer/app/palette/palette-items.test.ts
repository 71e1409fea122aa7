import { expect, test } from 'vitest';
import { cpuTimeMs } from '#test/support/cpu-time.ts';
import { paletteGroups, type PaletteItem, type PaletteSources } from './palette-items.ts';

const item = (text: string, path?: string): PaletteItem => ({ key: text, text, label: '', path });
const sources: PaletteSources = {
  actions: [item('Refresh')],
  pages: [item('Activities', '/activities'), item('Users', '/users')],
  things: [item('Report A', '/activities/1/'), item('Report B', '/activities/2/'), item('Month end', '/checklists/1/')],
  found: [],
  recent: ['/activities/2/', '/users', '/activities/99/'],
};
const shown = (query: string, more: Partial<PaletteSources> = {}) =>
  paletteGroups(query, { ...sources, ...more }).map(({ title, items }) => [title, ...items.map(({ text }) => text)]);

test('without a query it begins with where the person was, and leaves out what is there no longer', () => {
  expect(shown('')).toEqual([
    ['Recent', 'Report B', 'Users'],
    ['On this page', 'Refresh'],
    ['Pages', 'Activities', 'Users'],
  ]);
});

test('of what matches as well, the recent comes first, and each stands once', () => {
  expect(shown('report')).toEqual([['Found', 'Report B', 'Report A']]);
  expect(shown('re')).toEqual([['Found', 'Report B', 'Report A', 'Refresh']]);
  expect(shown('xyz')).toEqual([]);
});

test('what the server found stands before the rest', () => {
  expect(shown('12', { found: [item('Run 12')] })).toEqual([['Found', 'Run 12']]);
});

test('two thousand activities are searched within a frame', () => {
  const things = Array.from({ length: 2000 }, (_, n) => item(`Report of region ${n}`, `/activities/${n}/`));
  paletteGroups('region 19', { ...sources, things });
  const took = cpuTimeMs(() => {
    for (let times = 0; times < 10; times += 1) paletteGroups('region 19', { ...sources, things });
  });
  // A frame is 16 ms; the limit is ten times as much to allow for slow machines.
  expect(took / 10).toBeLessThan(160);
});

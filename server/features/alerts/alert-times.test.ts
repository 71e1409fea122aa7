import { expect, test } from 'vitest';
import { afterQuiet, dayBegin, nextDeadline } from './alert-times.ts';

const at = (text: string): Date => new Date(text);
const Berlin = 'Europe/Berlin';

test.each([
  // Quiet from 22:00 to 07:00 in Berlin, which in winter is one hour ahead of UTC.
  ['2026-11-23T20:59:00Z', '2026-11-23T20:59:00Z'],
  ['2026-11-23T21:00:00Z', '2026-11-24T06:00:00Z'],
  ['2026-11-24T02:00:00Z', '2026-11-24T06:00:00Z'],
  ['2026-11-24T06:00:00Z', '2026-11-24T06:00:00Z'],
  ['2026-11-24T12:00:00Z', '2026-11-24T12:00:00Z'],
  // The night when daylight saving time begins.
  ['2026-03-28T23:30:00Z', '2026-03-29T05:00:00Z'],
])('quiet from 22:00 until 07:00: an alert of %s is sent at %s', (now, notifiedAt) => {
  const quiet = { QuietFrom: 22 * 60, QuietUntil: 7 * 60, TimeZone: Berlin };
  expect(afterQuiet(at(now), quiet)).toEqual(at(notifiedAt));
});

test('quiet within a day, and none', () => {
  const noon = { QuietFrom: 12 * 60, QuietUntil: 13 * 60, TimeZone: 'UTC' };
  expect(afterQuiet(at('2026-11-23T12:30:00Z'), noon)).toEqual(at('2026-11-23T13:00:00Z'));
  expect(afterQuiet(at('2026-11-23T13:30:00Z'), noon)).toEqual(at('2026-11-23T13:30:00Z'));
  expect(afterQuiet(at('2026-11-23T12:30:00Z'), { ...noon, QuietUntil: null })).toEqual(at('2026-11-23T12:30:00Z'));
  expect(afterQuiet(at('2026-11-23T12:30:00Z'), undefined)).toEqual(at('2026-11-23T12:30:00Z'));
});

test('deadlines fall on the days that are chosen, by the clocks of their zone', () => {
  const late = { By: 8 * 60 + 30, TimeZone: Berlin, Days: [1, 5] };
  // A Monday.
  expect(nextDeadline(at('2026-11-23T06:00:00Z'), late)).toEqual(at('2026-11-23T07:30:00Z'));
  expect(nextDeadline(at('2026-11-23T07:30:00Z'), late)).toEqual(at('2026-11-27T07:30:00Z'));
  expect(nextDeadline(at('2026-07-03T07:00:00Z'), late)).toEqual(at('2026-07-06T06:30:00Z'));
  expect(dayBegin(at('2026-11-23T07:30:00Z'), Berlin)).toEqual(at('2026-11-22T23:00:00Z'));
});

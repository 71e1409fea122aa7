import { describe, expect, test } from 'vitest';
import { nextOccurrence, countOccurrencesSince, formatOccurrence, startOfDay } from './daily-occurrences.ts';

const BERLIN = 'Europe/Berlin';
const at = (hours: number, minutes = 0): number => (hours * 60 + minutes) / 1440;
const next = (after: string, time: number, zone = BERLIN): string =>
  nextOccurrence(new Date(after), time, zone).toISOString();

describe('the next slot', () => {
  test('is today while the time is still to come, else tomorrow', () => {
    expect(next('2026-11-21T00:30:00Z', at(2))).toBe('2026-11-21T01:00:00.000Z');
    expect(next('2026-11-21T01:00:00Z', at(2))).toBe('2026-11-22T01:00:00.000Z');
    expect(next('2026-11-21T01:00:00Z', at(2), 'UTC')).toBe('2026-11-21T02:00:00.000Z');
  });

  test('keeps its time of day over both changes of the clocks', () => {
    expect(next('2026-03-28T08:00:00Z', at(9))).toBe('2026-03-29T07:00:00.000Z');
    expect(next('2026-10-24T07:00:00Z', at(9))).toBe('2026-10-25T08:00:00.000Z');
  });

  test('is later by what the clocks were moved where the day does not have the time', () => {
    // On 29 March 2026, 02:00 becomes 03:00, so 02:30 is read as 03:30.
    expect(next('2026-03-28T01:30:00Z', at(2, 30))).toBe('2026-03-29T01:30:00.000Z');
    expect(next('2026-03-29T01:30:00Z', at(2, 30))).toBe('2026-03-30T00:30:00.000Z');
  });

  test('is the first of two where the day has the time twice, and the second does not come', () => {
    // On 25 October 2026, 03:00 becomes 02:00.
    expect(next('2026-10-24T00:30:00Z', at(2, 30))).toBe('2026-10-25T00:30:00.000Z');
    expect(next('2026-10-25T00:30:00Z', at(2, 30))).toBe('2026-10-26T01:30:00.000Z');
    expect(next('2026-10-25T00:59:00Z', at(2, 30))).toBe('2026-10-26T01:30:00.000Z');
  });

  test('knows zones whose clocks move at midnight and by half an hour, and far from UTC', () => {
    // In Beirut on 29 March 2026, 00:00 becomes 01:00.
    expect(next('2026-03-28T12:00:00Z', 0, 'Asia/Beirut')).toBe('2026-03-28T22:00:00.000Z');
    // On Lord Howe Island on 4 October 2026, 02:00 becomes 02:30.
    expect(next('2026-10-03T12:00:00Z', at(2, 15), 'Australia/Lord_Howe')).toBe('2026-10-03T15:45:00.000Z');
    expect(next('2026-11-21T09:00:00Z', at(23, 59), 'Pacific/Kiritimati')).toBe('2026-11-21T09:59:00.000Z');
  });

  test('comes once a day, throughout years, in every zone', () => {
    for (const zone of [BERLIN, 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Asia/Beirut']) {
      const first = nextOccurrence(new Date('2026-01-01T00:00:00Z'), at(2, 30), zone);
      let occurrence = first;
      for (let day = 0; day < 730; day++) {
        const following = nextOccurrence(occurrence, at(2, 30), zone);
        const hours = (following.getTime() - occurrence.getTime()) / 3_600_000;
        expect({ zone, occurrence, ok: hours >= 23 && hours <= 25 }).toEqual({ zone, occurrence, ok: true });
        occurrence = following;
      }
      expect(Math.round((occurrence.getTime() - first.getTime()) / 86_400_000)).toBe(730);
    }
  });
});

test('missed slots are counted', () => {
  const occurrence = new Date('2026-11-18T01:00:00Z');
  expect(countOccurrencesSince(occurrence, new Date('2026-11-18T12:00:00Z'), at(2), BERLIN)).toBe(0);
  expect(countOccurrencesSince(occurrence, new Date('2026-11-21T01:00:00Z'), at(2), BERLIN)).toBe(3);
});

test('a day begins when its clocks say so', () => {
  expect(startOfDay('2026-07-01', BERLIN).toISOString()).toBe('2026-06-30T22:00:00.000Z');
  expect(startOfDay('2026-07-01', 'America/New_York').toISOString()).toBe('2026-07-01T04:00:00.000Z');
});

test('a slot is named by day, time and zone', () => {
  expect(formatOccurrence(new Date('2026-11-21T01:05:00Z'), BERLIN)).toBe('21/Nov/2026 02:05 (Europe/Berlin)');
});

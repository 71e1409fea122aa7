import { describe, expect, it } from 'vitest';
import { daysFrom, formatDay, formatDuration, formatTime, relativeDay } from './format-date.ts';

const at = (day: number, hour = 12): Date => new Date(2026, 0, day, hour, 5, 9);

describe('dates', () => {
  it('are shown as day, month name and year', () => {
    expect(formatDay(at(5))).toBe('5/Jan/2026');
    expect(formatTime(at(5, 9))).toBe('09:05');
    expect(formatTime(at(5, 9), true)).toBe('09:05:09');
  });

  it('are shown relative to today by calendar days, not by hours', () => {
    expect(relativeDay(at(5, 23), at(6, 0))).toBe('Yesterday');
    expect(relativeDay(at(6, 1), at(6, 23))).toBe('Today');
    expect(relativeDay(at(7, 0), at(6, 23))).toBe('Tomorrow');
    expect(relativeDay(at(3), at(6))).toBe('3 days ago');
    expect(relativeDay(at(9), at(6))).toBe('3 days later');
    expect(daysFrom(at(1), new Date(2025, 11, 31, 23))).toBe(1);
  });
});

describe('durations', () => {
  it('use the two largest units', () => {
    expect(formatDuration(20.4)).toBe('20 ms');
    expect(formatDuration(1234)).toBe('1.2 s');
    expect(formatDuration(59_400)).toBe('59 s');
    expect(formatDuration(200_000)).toBe('3 min 20 s');
    expect(formatDuration(7_500_000)).toBe('2 h 5 min');
  });
});

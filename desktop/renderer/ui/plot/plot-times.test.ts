import { expect, test } from 'vitest';
import { timeMarks, timeText } from './plot-times.ts';

const at = (...[day, hour = 0, minute = 0]: [number, number?, number?]): number =>
  new Date(2026, 10, day, hour, minute).getTime() / 1000;

test('marks stand at round times, as many as there is room for', () => {
  expect(timeMarks(at(27, 17, 3), at(27, 17, 58), 6)).toEqual([10, 20, 30, 40, 50].map((minute) => at(27, 17, minute)));
  expect(timeMarks(at(26, 9), at(27, 9), 4)).toEqual([at(26, 12), at(26, 18), at(27), at(27, 6)]);
  expect(timeMarks(at(1, 9), at(5, 9), 5)).toEqual([2, 3, 4, 5].map((day) => at(day)));
  expect(timeMarks(at(1), at(28), 4).length).toBeLessThanOrEqual(4);
});

test('where there is room for little, both ends have a mark', () => {
  expect(timeMarks(at(27, 17, 3), at(27, 17, 58), 1)).toEqual([at(27, 17, 3), at(27, 17, 58)]);
  expect(timeMarks(at(27, 1), at(28, 23), 2)).toEqual([at(27, 1), at(28, 23)]);
  expect(timeMarks(at(27), at(27), 2)).toEqual([at(27), at(27)]);
});

test('marks say the time, and the day where it is another', () => {
  expect(timeText([at(27, 17, 10), at(27, 17, 20)])).toEqual(['17:10\n27/Nov/2026', '17:20']);
  expect(timeText([at(26, 18), at(27), at(27, 6)])).toEqual(['18:00\n26/Nov/2026', '00:00\n27/Nov/2026', '06:00']);
  expect(timeText([at(27, 17)])).toEqual(['17:00\n27/Nov/2026']);
  expect(timeText([at(26), at(27)])).toEqual(['26/Nov/2026', '27/Nov/2026']);
});

test('a year and more has days alone, which do not slip where the clock is set', () => {
  const marks = timeMarks(at(1), new Date(2028, 1, 1).getTime() / 1000, 6);
  expect(marks.length).toBeGreaterThan(2);
  for (const mark of marks) expect(new Date(mark * 1000).getHours()).toBe(0);
});

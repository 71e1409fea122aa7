import { expect, test } from 'vitest';
import {
  draftOf,
  fieldsOfSchedule,
  fractionToTime,
  scheduleFormIssues,
  scheduleText,
  timeToFraction,
} from './schedule-form.ts';

test('every minute of a day goes to its fraction and back', () => {
  for (let minute = 0; minute < 1440; minute++) {
    const time = fractionToTime(minute / 1440);
    expect(fractionToTime(timeToFraction(time)!)).toBe(time);
  }
  expect(timeToFraction('06:00')).toBe(0.25);
  expect(timeToFraction('23:59:59')).toBeCloseTo(1 - 1 / 86_400, 12);
});

test('a text that is not a time gives no time', () => {
  for (const text of ['', '24:00', '12:60', 'noon']) expect(timeToFraction(text)).toBeNull();
});

test('a plan fills the form, and the form gives the plan', () => {
  const json = JSON.stringify({ ScheduleType: 'Daily', TimeOfDay: 0.25, RetryCount: 3, RetryInterval: 10 });
  expect(draftOf(fieldsOfSchedule(json))).toEqual({
    ScheduleType: 'Daily',
    TimeOfDay: 0.25,
    RetryCount: '3',
    RetryInterval: '10',
  });
  expect(scheduleText(json, 'Europe/Berlin')).toBe('Daily at 06:00 (Europe/Berlin), retried 3 times after 10 min');
});

test.each([
  ['time', '25:00', 'Enter a time of day, such as 19:30'],
  ['time', '7', 'Enter a time of day, such as 19:30'],
  ['time', '', 'Select Schedule Time'],
  ['RetryCount', '1,5', 'Enter a whole number from 0 to 100'],
  ['RetryCount', '1.5', 'Enter a whole number from 0 to 100'],
  ['RetryCount', '-1', 'Enter a whole number from 0 to 100'],
  ['RetryInterval', '1.5', 'Enter a whole number from 1 to 1440'],
  ['RetryInterval', '1.000', 'Enter a whole number from 1 to 1440'],
  ['RetryInterval', '0', 'Enter a valid Retry Interval'],
])('%s %j is refused and not changed', (field, typed, message) => {
  const fields = { ScheduleType: 'Daily', time: '06:00', RetryCount: '1', RetryInterval: '5' };
  expect(scheduleFormIssues(fields)).toEqual([]);
  expect(scheduleFormIssues({ ...fields, [field]: typed }).map((issue) => issue.message)).toEqual([message]);
});

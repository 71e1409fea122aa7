import { expect, test } from 'vitest';
import { cpuTimeMs } from '#test/support/cpu-time.ts';
import { dayOf } from '#shared/rules/schedules/days.ts';
import { readCalendarFile } from './read-calendar-file.ts';

const TODAY = dayOf('2026-11-23');
const file = (...events: string[][]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//test//EN',
    ...events.flatMap((lines, index) => [
      'BEGIN:VEVENT',
      `UID:${index}`,
      'DTSTAMP:20260101T000000Z',
      ...lines,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n');
const days = (...lines: string[]) => readCalendarFile(file(lines), TODAY);

test('whole days are read, several of one entry, and each year those that come again', () => {
  const { Days, LeftOut } = readCalendarFile(
    file(
      ['DTSTART;VALUE=DATE:20261225', 'DTEND;VALUE=DATE:20261227', 'SUMMARY:Christmas\\, both days'],
      ['DTSTART;VALUE=DATE:20200501', 'RRULE:FREQ=YEARLY', 'EXDATE;VALUE=DATE:20280501', 'SUMMARY:Labour Day'],
      ['DTSTART:20270101T090000Z', 'DTEND:20270101T100000Z', 'SUMMARY:A meeting'],
    ),
    TODAY,
  );
  expect(Days.slice(0, 4)).toEqual([
    { Day: '2026-05-01', Name: 'Labour Day' },
    { Day: '2026-12-25', Name: 'Christmas, both days' },
    { Day: '2026-12-26', Name: 'Christmas, both days' },
    { Day: '2027-05-01', Name: 'Labour Day' },
  ]);
  expect(Days.map(({ Day }) => Day)).not.toContain('2028-05-01');
  expect(Days.at(-1)!.Day).toBe('2036-05-01');
  expect(LeftOut).toBe(1);
});

test('a missing end is that of the day, and a byte order mark is skipped', () => {
  expect(readCalendarFile(`\uFEFF${file(['DTSTART;VALUE=DATE:20270106', 'SUMMARY:Epiphany'])}`, TODAY).Days).toEqual([
    { Day: '2027-01-06', Name: 'Epiphany' },
  ]);
});

test.each(['', 'hello', '<html></html>', 'BEGIN:VCALENDAR', `BEGIN:VCALENDAR\r\nX:${'a'.repeat(30_000)}`])(
  'what is no calendar is refused or empty: %#',
  (text) => {
    let result: object = {};
    try {
      result = readCalendarFile(text, TODAY);
    } catch (error) {
      expect(error).toMatchObject({ status: 400 });
      return;
    }
    expect(result).toEqual({ Days: [], LeftOut: 0 });
  },
);

test('hostile entries end soon and give nothing', () => {
  const took = cpuTimeMs(() => {
    expect(days('DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=SECONDLY').Days).toEqual([]);
    expect(days('DTSTART;VALUE=DATE:00010101', 'RRULE:FREQ=DAILY').Days).toEqual([]);
    expect(days('DTSTART;VALUE=DATE:20260101', 'DTEND;VALUE=DATE:99991231').Days).toEqual([]);
    expect(() => days('DTSTART;VALUE=DATE:19700101', 'RRULE:FREQ=DAILY')).toThrow('more than 3000 days');
    expect(() => readCalendarFile(file(...Array.from({ length: 6000 }, () => ['SUMMARY:x'])), TODAY)).toThrow(
      'entries',
    );
    const nested = `BEGIN:VCALENDAR\r\n${'BEGIN:VEVENT\r\n'.repeat(4000)}`;
    try {
      readCalendarFile(nested, TODAY);
    } catch (error) {
      expect(error).toMatchObject({ status: 400 });
    }
  });
  expect(took).toBeLessThan(20_000);
});

test('a text of the file stays a name of one line', () => {
  const { Days } = days('DTSTART;VALUE=DATE:20270101', `SUMMARY:<b>New\\nYear</b>${'x'.repeat(300)}`);
  expect(Days[0]!.Name).toMatch(/^<b>New Year<\/b>x+$/);
  expect(Days[0]!.Name).toHaveLength(100);
});

import { expect, it } from 'vitest';
import { readingTexts } from './reading-texts.ts';

const numbers = { Cell: 'B3', Text: '1.234', Value: '1234', Other: '1,234', More: 0 };
const dates = { Cell: 'C4', Text: '01/02/2025', Value: '1/Feb/2025', Other: '2/Jan/2025', More: 1200 };

it('the notation of numbers and dates is shown with a cell that could be read differently', () => {
  const german = { Id: 'de-DE', Decimal: ',', Group: '.', DayOrder: 'dmy' } as const;
  expect(readingTexts({ Region: german, Numbers: numbers, Dates: dates })).toEqual([
    'Numbers are read in the format of the workbook, 1.234,5. 1.234 in B3 is read as 1234, not as 1,234.',
    'Dates are read in the format of the workbook, day/month/year. 01/02/2025 in C4 is read as 1/Feb/2025, not as 2/Jan/2025; 1,200 more cells could also be read differently.',
  ]);
});

it('without a notation of the activity, English marks and days first are named; unambiguous cells are not', () => {
  expect(readingTexts({ Region: null, Numbers: null, Dates: { ...dates, More: 1 } })).toEqual([
    'Dates are read as day/month/year because the activity does not specify a format. 01/02/2025 in C4 is read as 1/Feb/2025, not as 2/Jan/2025; one more cell could also be read differently.',
  ]);
  const plain = { ...numbers, Value: '1.234', Other: '1234' };
  expect(readingTexts({ Region: null, Numbers: plain, Dates: null })).toEqual([
    'Numbers are read as 1,234.5 because the activity does not specify a format. 1.234 in B3 is read as 1.234, not as 1234.',
  ]);
});

import { describe, expect, test } from 'vitest';
import { normalizedReason, reasonKey, type Failure } from './failure-reason.ts';

describe('failures of the same reason', () => {
  test.each([
    ['Row 17 of Prices has no date', 'Row 2,041 of Prices has no date'],
    ['The calculation took longer than 1.5 seconds', 'The calculation took longer than 30 seconds'],
    ['The value "Müller GmbH" is not in the list', 'The value "Ada & Co" is not in the list'],
    ['Der Wert „Süd“ steht nicht in der Liste', 'Der Wert „Nord“ steht nicht in der Liste'],
    ['Invoice INV-20391 is locked', 'Invoice INV-20400 is locked'],
    ['Key (Id)=(71) already exists', 'Key (Id)=(x, 3) already exists'],
    [
      'System error (id 0e9a7e0c-47d2-4a53-9d5a-3b5f1a3f7b11)',
      'System error (id 8f8b7e0c-aaaa-4a53-9d5a-3b5f1a3f7b22)',
    ],
    ['No rate for 2026-05-01T10:00:00Z', 'No rate for 2026-06-01'],
    ['Kein Kurs am 1.5.2026 um 18:00', 'Kein Kurs am 30.06.2026 um 7:30:15'],
    ['Mail to ada@example.org was refused', 'Mail to bo@example.com was refused'],
    ['It took 300ms', 'It took 12ms'],
    ["Step 'Step 1': row 5 has no date", "Step 'Step 1': row 77 has no date"],
    ["The customers' row 5 isn't there", "The customers' row 6 isn't there"],
    ["Invoice '20391' is locked", "Invoice '20400' is locked"],
  ])('%s', (one, other) => {
    expect(normalizedReason(one)).toBe(normalizedReason(other));
  });
});

describe('failures that need different actions stay apart', () => {
  test.each([
    ['The input "Rate" is missing', 'The input "Date" is missing'],
    ['Login failed for user "etl"', 'Login failed for user "report"'],
    ['column "Price" does not exist', 'column "Amount" does not exist'],
    ['The procedure returned the code 4', 'The procedure returned the code 5'],
    ['The server answered 404', 'The server answered 503'],
    ['ORA-01017: denied', 'ORA-12541: denied'],
    ['Msg 547, conflict', 'Msg 2627, conflict'],
    ['SQLSTATE 23505', 'SQLSTATE 40001'],
    ['connect ECONNREFUSED 10.0.0.5:5432', 'connect ECONNREFUSED 10.0.0.6:5432'],
    ['db01:5432 refused the connection', 'db01:1433 refused the connection'],
    ['Prices!B5 is not a number', 'Prices!B6 is not a number'],
    ['server db01 is away', 'server db02 is away'],
    ['The connection finance cannot be reached', 'The connection sales cannot be reached'],
    ['column "Price 1" does not exist', 'column "Price 2" does not exist'],
    ["The input 'FY 2024' is missing", "The input 'FY 2025' is missing"],
    ["Step 'Step 1': the mail was refused", "Step 'Step 2': the mail was refused"],
  ])('%s, %s', (one, other) => {
    expect(normalizedReason(one)).not.toBe(normalizedReason(other));
  });

  const failure: Failure = { ActivityId: 1, Status: 'Failed', Message: 'Row 1 has no date', StatusCode: 1000 };
  test.each<[string, Partial<Failure>]>([
    ['of different activities', { ActivityId: 2 }],
    ['of different outcomes', { Status: 'LogicError' }],
    ['with different codes', { StatusCode: 1500 }],
    ['with another text', { Message: 'Row 1 has no price' }],
    ['without a text', { Message: null, StatusCode: null }],
  ])('%s', (_, other) => {
    expect(reasonKey({ ...failure, ...other })).not.toBe(reasonKey(failure));
  });
});

test.each<[string, Partial<Failure>]>([
  ['an interruption of a server', { Status: 'Abandoned', Message: 'The server is gone', StatusCode: 10_002 }],
  ['a mail server that refuses', { Status: 'Failed', Message: 'mail1 refused the connection', StatusCode: 1240 }],
])('%s is one reason, whichever activities it hits', (_, more) => {
  const failure: Failure = { ActivityId: 1, Status: 'Failed', Message: null, StatusCode: null, ...more };
  expect(reasonKey({ ...failure, ActivityId: 2 })).toBe(reasonKey(failure));
});

test('a long text without any pattern takes no time', () => {
  const text = `${'a-'.repeat(200)}"`.repeat(50);
  const begin = performance.now();
  normalizedReason(text);
  expect(performance.now() - begin).toBeLessThan(1_000);
});

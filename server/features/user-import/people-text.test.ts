import { expect, test } from 'vitest';
import { readPeople } from './people-text.ts';

const read = (text: string, nameFrom: 'Address' | 'LocalPart' = 'Address') =>
  readPeople(text, nameFrom).people.map(({ UserName, FirstName, LastName, Email, problems }) =>
    [UserName, FirstName, LastName, Email, ...problems].join(' | '),
  );

test('reads addresses as mail programs and people write them', () => {
  expect(read('ann.lee@x.test, "Ray, Bob" <bob@x.test>; Cy de Witt <cy@x.test>\ndan@x.test eve@x.test')).toEqual([
    'ann.lee@x.test | Ann | Lee | ann.lee@x.test',
    'bob@x.test | Bob | Ray | bob@x.test',
    'cy@x.test | Cy de | Witt | cy@x.test',
    'dan@x.test | Dan |  | dan@x.test',
    'eve@x.test | Eve |  | eve@x.test',
  ]);
  expect(read('Ann Lee <ann@x.test>', 'LocalPart')).toEqual(['ann | Ann | Lee | ann@x.test']);
  expect(read('Ann Lee\nann@@x')).toEqual([
    "Ann Lee |  |  | Ann Lee | 'Ann Lee' is not a valid email address",
    "ann@@x | Ann@ |  | ann@@x | 'ann@@x' is not a valid email address",
  ]);
});

test('reads CSV with headings in any order and language, with any separator, and reports unused columns', () => {
  const { people, unusedColumns } = readPeople(
    '\uFEFFE-Mail;Nachname;Abteilung;Vorname\nann@x.test;"Lee; Ray";Sales;Ann\n',
    'LocalPart',
  );
  expect(unusedColumns).toEqual(['Abteilung']);
  expect(people).toMatchObject([
    { line: 2, UserName: 'ann', FirstName: 'Ann', LastName: 'Lee; Ray', Email: 'ann@x.test', isNamedByAddress: true },
  ]);
  const exported = readPeople('UserName,Email,Roles\nann,ann@x.test,Sales|Audit\nbob\n', 'Address').people;
  expect(exported).toMatchObject([
    { UserName: 'ann', Roles: ['Sales', 'Audit'], isNamedByAddress: false, problems: [] },
    { UserName: 'bob', line: 3, problems: ['This line does not have one cell for each heading'] },
  ]);
  expect(read("User Name\tEmail\n'=ann\tann@x.test")).toEqual(['=ann | Ann |  | ann@x.test']);
});

test('a long text without separators is refused quickly', () => {
  for (const part of ['a', ' ', '"', 'a@', ',', '<'])
    for (const text of [part.repeat(200_000), `${part.repeat(200_000)}!`])
      expect(readPeople(text, 'Address').people.every(({ problems }) => problems.length > 0)).toBe(true);
});

test('a text that is no list is refused with the reason', () => {
  expect(() => readPeople('Email,Email\na@x.test,b@x.test', 'Address')).toThrow('The column Email appears twice.');
  expect(() => readPeople('Email\n"a@x.test', 'Address')).toThrow('A quotation mark is not closed');
});

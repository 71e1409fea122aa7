import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Grant } from './grants.ts';
import { answerRight } from './right-answer.ts';
import { isInScope, scopeOf } from './right-scope.ts';
import type { RightName } from '#shared/contract/rights.ts';
import { rounds } from '#test/support/test-set.ts';

const ACTIVITY = { Schema: 'Finance', Id: 7 };

type Said = [right: RightName, level: 'All' | 'Schema' | 'Id', access: 1 | -1, role?: string];

const grant = ([RightName, level, Access, role]: Said): Grant => ({
  RightName,
  KeyColumnName: level === 'All' ? '' : level,
  KeyColumnValue: level === 'All' ? '' : String(ACTIVITY[level]),
  Access,
  RoleName: role ?? null,
});

const RUN = 'sk.RunActivity';
const EDIT = 'sk.EditActivity';

test.each<[expected: string, said: Said[]]>([
  ['no: none', []],
  ['yes: explicit', [[RUN, 'All', 1]]],
  ['no: explicit', [[RUN, 'All', -1]]],
  ['yes: role Clerks', [[RUN, 'All', 1, 'Clerks']]],
  [
    'no: role Clerks',
    [
      [RUN, 'All', 1],
      [RUN, 'All', -1, 'Clerks'],
    ],
  ],
  [
    'no: explicit',
    [
      [RUN, 'All', -1],
      [RUN, 'All', 1, 'Clerks'],
    ],
  ],
  [
    'yes: explicit Schema',
    [
      [RUN, 'All', -1],
      [RUN, 'Schema', 1],
    ],
  ],
  [
    'no: explicit Schema',
    [
      [RUN, 'All', 1],
      [RUN, 'Schema', -1],
    ],
  ],
  [
    'yes: role Clerks Schema',
    [
      [RUN, 'All', -1],
      [RUN, 'Schema', 1, 'Clerks'],
    ],
  ],
  [
    'yes: explicit Id',
    [
      [RUN, 'Schema', -1],
      [RUN, 'Id', 1],
    ],
  ],
  [
    'no: explicit Id',
    [
      [RUN, 'All', 1],
      [RUN, 'Schema', 1],
      [RUN, 'Id', -1],
    ],
  ],
  ['yes: implied sk.EditActivity', [[EDIT, 'All', 1]]],
  [
    'yes: implied sk.EditActivity Id',
    [
      [EDIT, 'Id', 1],
      [RUN, 'Schema', -1],
    ],
  ],
  [
    'no: explicit Id',
    [
      [EDIT, 'Id', 1],
      [RUN, 'Id', -1],
    ],
  ],
  [
    'no: explicit Id',
    [
      [EDIT, 'All', 1],
      [RUN, 'Id', -1],
    ],
  ],
  [
    'no: none',
    [
      [EDIT, 'All', 1],
      [EDIT, 'Id', -1],
    ],
  ],
  [
    'yes: explicit',
    [
      [EDIT, 'Id', -1],
      [RUN, 'All', 1],
    ],
  ],
  [
    'yes: explicit',
    [
      [EDIT, 'All', -1],
      [RUN, 'All', 1],
    ],
  ],
])('%s, where %j', (expected, said) => {
  const { access, source, role, impliedBy, keyColumn } = answerRight(said.map(grant), RUN, ACTIVITY);
  const words = [source, role ?? impliedBy, keyColumn].filter(Boolean).join(' ');
  expect(`${access ? 'yes' : 'no'}: ${words}`).toBe(expected);
});

test('a grant for one value says nothing of another, nor of All', () => {
  const grants = [grant([RUN, 'Schema', 1])];
  expect(answerRight(grants, RUN, { Schema: 'Sales', Id: 7 }).access).toBe(false);
  expect(answerRight(grants, RUN).access).toBe(false);
});

test('to manage users implies to manage their passwords, and not the other way round', () => {
  expect(answerRight([grant(['sk.ManageUsers', 'All', 1])], 'sk.ManageUserPasswords')).toMatchObject({
    access: true,
    impliedBy: 'sk.ManageUsers',
  });
  expect(answerRight([grant(['sk.ManageUserPasswords', 'All', 1])], 'sk.ManageUsers').access).toBe(false);
});

const anyGrants = fc.array(
  fc.record({
    RightName: fc.constantFrom<RightName>(RUN, EDIT, 'sk.ViewRuns', 'sk.PurgeRuns'),
    key: fc.constantFrom(['', ''], ['Schema', 'Finance'], ['Schema', 'Sales'], ['Id', '7'], ['Id', '8']),
    Access: fc.constantFrom<1 | -1>(1, -1),
    RoleName: fc.constantFrom(null, 'Clerks'),
  }),
  { maxLength: 10 },
);

test('the scope of a right holds exactly the objects the right is held for', () => {
  fc.assert(
    fc.property(anyGrants, (drawn) => {
      const grants = drawn.map(({ key: [KeyColumnName = '', KeyColumnValue = ''], ...rest }) => ({
        ...rest,
        KeyColumnName,
        KeyColumnValue,
      }));
      for (const right of [RUN, EDIT, 'sk.ViewRuns'] as const) {
        const scope = scopeOf(grants, right);
        for (const Schema of ['Finance', 'Sales', 'Other']) {
          for (const Id of [7, 8, 9]) {
            expect(isInScope(scope, { Schema, Id })).toBe(answerRight(grants, right, { Schema, Id }).access);
          }
        }
      }
    }),
    { numRuns: rounds(250, 1000) },
  );
});

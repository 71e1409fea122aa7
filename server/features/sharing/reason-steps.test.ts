import { describe, expect, test } from 'vitest';
import { answerRight } from '#server/access/rights/right-answer.ts';
import { explainRight, type PersonalGrant } from './reason-steps.ts';

const keys = { Id: 7, Schema: 'Finance' };
const grant = (more: Partial<PersonalGrant> = {}): PersonalGrant => ({
  RightName: 'sk.RunActivity',
  KeyColumnName: '',
  KeyColumnValue: '',
  Access: 1,
  RoleName: null,
  isActive: true,
  ...more,
});
const onActivity = { KeyColumnName: 'Id', KeyColumnValue: '7' };
const onSchema = { KeyColumnName: 'Schema', KeyColumnValue: 'Finance' };
const explain = (...grants: PersonalGrant[]) => explainRight(grants, 'sk.RunActivity', keys);

describe('the chain of reasons', () => {
  test('names everything that concerns the right, most specific first, and what decides', () => {
    const { access, steps } = explain(
      grant({ RoleName: 'Everyone' }),
      grant({ ...onSchema, RoleName: 'Guests', Access: -1 }),
      grant({ ...onSchema, RoleName: 'Finance' }),
      grant({ RightName: 'sk.EditActivity', KeyColumnName: 'Id', KeyColumnValue: '8' }),
    );
    expect(access).toBe(false);
    expect(steps.map(({ Scope, Role, IsGrant, Decides }) => [Scope, Role, IsGrant, Decides])).toEqual([
      ['Schema', 'Guests', false, true],
      ['Schema', 'Finance', true, false],
      ['All', 'Everyone', true, false],
    ]);
  });

  test('says through which right another one is held, and which roles are not active', () => {
    const { access, steps } = explain(
      grant({ RightName: 'sk.EditActivity', ...onSchema, RoleName: 'Editors' }),
      grant({ ...onActivity, RoleName: 'Retired', Access: -1, isActive: false }),
    );
    expect(access).toBe(true);
    expect(steps).toMatchObject([
      { Role: 'Retired', IsRoleActive: false, Decides: false },
      { Role: 'Editors', ImpliedBy: 'sk.EditActivity', Decides: true },
    ]);
  });
});

describe('the one change that reverses the answer', () => {
  test.each([
    ['nothing granted', [], { Kind: 'Grant', Scope: 'Activity', Role: '' }],
    ['an own grant', [grant(onActivity)], { Kind: 'RemoveGrant', Scope: 'Activity', Role: '' }],
    ['a grant of a role', [grant({ RoleName: 'Finance' })], { Kind: 'Deny', Scope: 'Activity', Role: '' }],
    [
      'an own denial that hides a grant',
      [grant({ Access: -1, ...onSchema }), grant({ RoleName: 'Everyone' })],
      { Kind: 'RemoveDenial', Scope: 'Schema', Role: '' },
    ],
    ['an own denial alone', [grant({ Access: -1 })], { Kind: 'Grant', Scope: 'Activity', Role: '' }],
    [
      'a role that is not active',
      [grant({ RoleName: 'Old', isActive: false })],
      { Kind: 'EnableRole', Scope: 'All', Role: 'Old' },
    ],
    [
      'a denial of a role on the activity',
      [grant({ ...onActivity, RoleName: 'Guests', Access: -1 }), grant({ RoleName: 'Everyone' })],
      { Kind: 'RemoveRoleDenial', Scope: 'Activity', Role: 'Guests' },
    ],
  ] as const)('for %s', (_name, grants, fix) => {
    expect(explain(...grants).fix).toEqual(fix);
  });

  test('reverses it, for every combination of grants and denials', () => {
    const levels = [onActivity, onSchema, {}];
    const all = levels.flatMap((level) =>
      [1, -1].flatMap((Access) =>
        [null, 'A'].map((RoleName) => grant({ ...level, RoleName, Access: Access as 1 | -1 })),
      ),
    );
    const isSame = (a: PersonalGrant, b: PersonalGrant) =>
      a.KeyColumnName === b.KeyColumnName && a.RoleName === b.RoleName;
    const column = { Activity: 'Id', Schema: 'Schema', All: '' } as const;
    for (let set = 0; set < 2 ** all.length; set++) {
      const grants = all.filter((_, index) => (set >> index) % 2 === 1);
      // A user or role has one grant per level.
      if (grants.some((one, index) => grants.some((other, at) => at < index && isSame(one, other)))) continue;
      const { access, fix } = explain(...grants);
      const role = fix.Kind === 'RemoveRoleDenial' ? fix.Role : null;
      const rest = grants.filter(
        ({ KeyColumnName, RoleName }) => !(KeyColumnName === column[fix.Scope] && RoleName === role),
      );
      const added = { Grant: [grant(onActivity)], Deny: [grant({ ...onActivity, Access: -1 })] };
      const changed = [...rest, ...(fix.Kind === 'Grant' || fix.Kind === 'Deny' ? added[fix.Kind] : [])];
      // Removing a role's denial is offered last; another grant may then be needed.
      if (fix.Kind === 'RemoveRoleDenial') continue;
      expect(answerRight(changed, 'sk.RunActivity', keys).access).toBe(!access);
    }
  });
});

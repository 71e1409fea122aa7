/** Explains an answer of the rights engine, and finds the change that reverses it. Pure functions. */
import { ALL, type Grant, type ObjectKeys } from '#server/access/rights/grants.ts';
import { answerRight } from '#server/access/rights/right-answer.ts';
import { impliersOf } from '#server/access/rights/right-implications.ts';
import type { AccessFix, AccessScope, AccessStep } from '#shared/contract/access-reasons.ts';
import type { RightName } from '#shared/contract/rights.ts';

/** A grant that a person has, which has no effect if it comes from a role that is not active. */
export interface PersonalGrant extends Grant {
  isActive: boolean;
}

export interface Explained {
  access: boolean;
  steps: AccessStep[];
  fix: Omit<AccessFix, 'CanApply'>;
}

/** The levels of rights on activities, most specific first. */
const LEVELS: readonly { column: string; scope: AccessScope }[] = [
  { column: 'Id', scope: 'Activity' },
  { column: 'Schema', scope: 'Schema' },
  { column: ALL, scope: 'All' },
];

export function explainRight(grants: readonly PersonalGrant[], right: RightName, keys: ObjectKeys): Explained {
  const answer = answerRight(effective(grants), right, keys);
  const names: readonly string[] = [right, ...impliersOf(right)];
  const steps = LEVELS.flatMap(({ column, scope }) =>
    grants
      .filter((grant) => isAt(grant, column, keys) && names.includes(grant.RightName))
      // A denial of an implying right denies nothing here; it only implies nothing.
      .filter(({ RightName, Access }) => RightName === right || Access === 1)
      .map((grant): AccessStep => {
        const impliedBy = grant.RightName === right ? null : (grant.RightName as RightName);
        return {
          Scope: scope,
          IsGrant: grant.Access === 1,
          Role: grant.RoleName ?? '',
          IsRoleActive: grant.isActive,
          ImpliedBy: impliedBy,
          Decides:
            grant.isActive &&
            answer.source !== 'none' &&
            answer.keyColumn === column &&
            answer.access === (grant.Access === 1) &&
            (answer.impliedBy ?? null) === impliedBy,
        };
      }),
  );
  return { access: answer.access, steps, fix: fixOf(grants, right, keys, answer.access) };
}

const effective = (grants: readonly PersonalGrant[]): Grant[] => grants.filter(({ isActive }) => isActive);

function isAt({ KeyColumnName, KeyColumnValue }: Grant, column: string, keys: ObjectKeys): boolean {
  return KeyColumnName === column && KeyColumnValue === (column === ALL ? '' : String(keys[column]));
}

type Fix = Omit<AccessFix, 'CanApply'>;

/** Returns the first change, from the narrowest to the widest, after which the answer is the opposite. */
function fixOf(grants: readonly PersonalGrant[], right: RightName, keys: ObjectKeys, access: boolean): Fix {
  const own = (Access: 1 | -1): PersonalGrant => ({
    RightName: right,
    KeyColumnName: 'Id',
    KeyColumnValue: String(keys['Id']),
    Access,
    RoleName: null,
    isActive: true,
  });
  const reverses = (changed: readonly PersonalGrant[]): boolean =>
    answerRight(effective(changed), right, keys).access !== access;
  const without = (removed: PersonalGrant) => grants.filter((grant) => grant !== removed);
  const stated = LEVELS.flatMap(({ column, scope }) =>
    grants.filter((grant) => grant.RightName === right && isAt(grant, column, keys)).map((grant) => ({ grant, scope })),
  );
  const opposing = stated.filter(({ grant }) => (grant.Access === 1) === access);

  for (const { grant, scope } of opposing.filter(({ grant: { RoleName } }) => RoleName === null))
    if (reverses(without(grant))) return { Kind: access ? 'RemoveGrant' : 'RemoveDenial', Scope: scope, Role: '' };
  if (access) return { Kind: 'Deny', Scope: 'Activity', Role: '' };
  for (const role of new Set(grants.filter(({ isActive }) => !isActive).map(({ RoleName }) => RoleName ?? '')))
    if (reverses(grants.map((grant) => (grant.RoleName === role ? { ...grant, isActive: true } : grant))))
      return { Kind: 'EnableRole', Scope: 'All', Role: role };
  const withoutOwn = grants.filter(
    (grant) => !(grant.RoleName === null && grant.RightName === right && isAt(grant, 'Id', keys)),
  );
  if (reverses([...withoutOwn, own(1)])) return { Kind: 'Grant', Scope: 'Activity', Role: '' };
  const denying = opposing.find(({ grant }) => grant.RoleName !== null && grant.isActive);
  return { Kind: 'RemoveRoleDenial', Scope: denying?.scope ?? 'All', Role: denying?.grant.RoleName ?? '' };
}

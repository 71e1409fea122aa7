import type { RightName } from '#shared/contract/rights.ts';
import { ALL, type Grant, type ObjectKeys } from './grants.ts';
import { impliersOf, keyColumnsOf } from './right-implications.ts';

/** Whether a right is held, and why. */
export interface RightAnswer {
  access: boolean;
  /**
   * Why the right is held or not.
   * explicit: the person's own grant or denial.
   * role: a grant or denial of one of their roles.
   * implied: another right implies it.
   * none: there is no grant, which means no.
   * internet: the person holds it, but the call comes from the internet, which does not.
   * key: the call is made with an API key that does not allow it.
   */
  source: 'explicit' | 'role' | 'implied' | 'none' | 'internet' | 'key';
  role?: string;
  /** The right that implies it, or 'IsUserAdmin'. */
  impliedBy?: RightName | 'IsUserAdmin';
  /** The key column whose value decided; '' if it was decided for All. */
  keyColumn: string;
}

export const ADMIN_ANSWER: RightAnswer = {
  access: true,
  source: 'implied',
  impliedBy: 'IsUserAdmin',
  keyColumn: ALL,
};

/**
 * Returns whether `grants` give a right for an object, or for All if `keys` is omitted. The most specific level decides
 * first. Among equally specific grants, a denial wins. An implied right counts at the level at which the implying right
 * was decided.
 */
export function answerRight(grants: readonly Grant[], right: string, keys: ObjectKeys = {}): RightAnswer {
  const implied = impliersOf(right).map((name) => ({ name, answer: answerRight(grants, name, keys) }));
  for (const level of [...keyColumnsOf(right), ALL]) {
    const said = sayingsAt(grants, right, level, keys);
    const denial = said.find((grant) => grant.Access === -1);
    if (denial) return fromGrant(denial, level);
    const own = said.find((grant) => grant.RoleName === null) ?? said[0];
    if (own) return fromGrant(own, level);
    const bringer = implied.find(({ answer }) => answer.access && answer.keyColumn === level);
    if (bringer) return { access: true, source: 'implied', impliedBy: bringer.name, keyColumn: level };
  }
  return { access: false, source: 'none', keyColumn: ALL };
}

function sayingsAt(grants: readonly Grant[], right: string, level: string, keys: ObjectKeys): Grant[] {
  const value = level === ALL ? '' : keys[level];
  if (value === undefined) return [];
  return grants.filter(
    (grant) => grant.RightName === right && grant.KeyColumnName === level && grant.KeyColumnValue === String(value),
  );
}

function fromGrant({ Access, RoleName }: Grant, keyColumn: string): RightAnswer {
  const access = Access === 1;
  return RoleName === null
    ? { access, source: 'explicit', keyColumn }
    : { access, source: 'role', role: RoleName, keyColumn };
}

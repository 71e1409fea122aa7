/** Converts grants to readable statements about each right: the rows of the security matrix. Pure functions. */
import { answerRight } from '#server/access/rights/right-answer.ts';
import { ALL, type Grant } from '#server/access/rights/grants.ts';
import { impliersOf, keyColumnsOf } from '#server/access/rights/right-implications.ts';

export interface Statement {
  RightName: string;
  /** Both are '' for All. */
  KeyColumnName: string;
  KeyColumnValue: string;
  Access: boolean;
  /** 'Explicit', or the name of the role. */
  Source: string;
  /** The right that implies it; '' if the statement is about the right itself. */
  ImpliedBy: string;
}

export const EXPLICIT = 'Explicit';

interface Key {
  column: string;
  value: string;
}

/**
 * Returns every statement about each of the rights. For one right and value, a person may do it only if all statements
 * grant it, which agrees with answerRight.
 */
export function statementsOf(grants: readonly Grant[], rights: readonly string[]): Statement[] {
  const byRight = Map.groupBy(grants, ({ RightName }) => RightName);
  return rights.flatMap((right) => {
    const family = familyOf(right);
    const relevant = family.flatMap((name) => byRight.get(name) ?? []);
    if (relevant.length === 0) return [];
    return keysOf(relevant, right).flatMap((key) => statementsAt(relevant, right, key));
  });
}

/** Returns the right and all rights that may imply it. */
function familyOf(right: string): string[] {
  return [right, ...impliersOf(right).flatMap(familyOf)];
}

function keysOf(grants: readonly Grant[], right: string): Key[] {
  const columns = [ALL, ...keyColumnsOf(right).reverse()];
  const keys = new Map<string, Key>();
  for (const { KeyColumnName: column, KeyColumnValue: value } of grants) {
    if (columns.includes(column)) keys.set(`${column}\0${value}`, { column, value });
  }
  return [...keys.values()].sort((a, b) => columns.indexOf(a.column) - columns.indexOf(b.column));
}

function statementsAt(grants: readonly Grant[], right: string, key: Key): Statement[] {
  const about = { RightName: right, KeyColumnName: key.column, KeyColumnValue: key.value };
  const said = grants.filter((grant) => grant.RightName === right && isAt(grant, key));
  if (said.length > 0) {
    return said.map(({ Access, RoleName }) => ({
      ...about,
      Access: Access === 1,
      Source: RoleName ?? EXPLICIT,
      ImpliedBy: '',
    }));
  }
  const keys = key.column === ALL ? {} : { [key.column]: key.value };
  const whole = answerRight(grants, right, keys);
  return impliersOf(right).flatMap((ImpliedBy) => {
    const answer = answerRight(grants, ImpliedBy, keys);
    if (answer.keyColumn !== key.column || answer.source === 'none') return [];
    // A denied right only stops implying this one. That is listed only if nothing else grants the right for this value
    // although All would.
    if (!answer.access && (whole.access || !answerRight(grants, right).access)) return [];
    return [{ ...about, Access: answer.access, Source: answer.role ?? EXPLICIT, ImpliedBy }];
  });
}

function isAt({ KeyColumnName, KeyColumnValue }: Grant, { column, value }: Key): boolean {
  return KeyColumnName === column && KeyColumnValue === value;
}

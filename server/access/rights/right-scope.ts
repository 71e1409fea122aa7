import type { Knex } from 'knex';
import { ALL, type Grant, type ObjectKeys } from './grants.ts';
import { impliersOf, keyColumnsOf } from './right-implications.ts';

/**
 * The set of objects for which a person holds a right, as a condition on their key columns. It filters lists in the
 * database or in memory. For each object it agrees with answerRight.
 */
export type RightScope =
  | { kind: 'every' }
  | { kind: 'nothing' }
  | { kind: 'in'; column: string; values: readonly string[] }
  | { kind: 'not'; of: RightScope }
  | { kind: 'all'; of: readonly RightScope[] }
  | { kind: 'any'; of: readonly RightScope[] };

export const EVERY: RightScope = { kind: 'every' };
export const NOTHING: RightScope = { kind: 'nothing' };

export function scopeOf(grants: readonly Grant[], right: string): RightScope {
  return any(...grantedByLevel(grants, right).values());
}

/**
 * Returns, for each level and most specific first, the objects for which the right is granted and decided at that
 * level.
 */
function grantedByLevel(grants: readonly Grant[], right: string): Map<string, RightScope> {
  const implied = impliersOf(right).map((name) => grantedByLevel(grants, name));
  const granted = new Map<string, RightScope>();
  let undecided: RightScope = EVERY;
  for (const level of [...keyColumnsOf(right), ALL]) {
    const denied = mentioned(grants, right, level, -1);
    const given = any(
      mentioned(grants, right, level, 1),
      ...implied.map((of) => of.get(level)).filter((of) => of !== undefined),
    );
    granted.set(level, all(undecided, not(denied), given));
    undecided = all(undecided, not(denied), not(given));
  }
  return granted;
}

/** Returns the objects that the grants of a level name. */
function mentioned(grants: readonly Grant[], right: string, level: string, access: 1 | -1): RightScope {
  const said = grants.filter(
    (grant) => grant.RightName === right && grant.KeyColumnName === level && grant.Access === access,
  );
  if (said.length === 0) return NOTHING;
  if (level === ALL) return EVERY;
  return { kind: 'in', column: level, values: [...new Set(said.map((grant) => grant.KeyColumnValue))] };
}

function not(scope: RightScope): RightScope {
  if (scope.kind === 'every') return NOTHING;
  if (scope.kind === 'nothing') return EVERY;
  return scope.kind === 'not' ? scope.of : { kind: 'not', of: scope };
}

export function all(...scopes: RightScope[]): RightScope {
  if (scopes.some((scope) => scope.kind === 'nothing')) return NOTHING;
  const of = scopes.filter((scope) => scope.kind !== 'every');
  return of.length === 0 ? EVERY : of.length === 1 ? of[0]! : { kind: 'all', of };
}

function any(...scopes: RightScope[]): RightScope {
  if (scopes.some((scope) => scope.kind === 'every')) return EVERY;
  const of = scopes.filter((scope) => scope.kind !== 'nothing');
  return of.length === 0 ? NOTHING : of.length === 1 ? of[0]! : { kind: 'any', of };
}

export function isInScope(scope: RightScope, keys: ObjectKeys): boolean {
  switch (scope.kind) {
    case 'every':
      return true;
    case 'nothing':
      return false;
    case 'in':
      return keys[scope.column] !== undefined && scope.values.includes(String(keys[scope.column]));
    case 'not':
      return !isInScope(scope.of, keys);
    case 'all':
      return scope.of.every((part) => isInScope(part, keys));
    case 'any':
      return scope.of.some((part) => isInScope(part, keys));
  }
}

/** Maps key columns to columns of a query: {Schema: 'Activities.Schema', Id: 'Activities.Id'}. */
export type ScopeColumns = Readonly<Record<string, string>>;

/**
 * Restricts a query to the objects in scope. The columns must not be null.
 * @param numeric key columns whose values are numbers in the database; grants store all values as text
 */
export function whereInScope(
  query: Knex.QueryBuilder,
  scope: RightScope,
  columns: ScopeColumns,
  numeric: readonly string[] = ['Id'],
): void {
  switch (scope.kind) {
    case 'every':
      // Added although it restricts nothing: Knex drops an empty branch of an OR, which would then match no row.
      void query.whereRaw('1 = 1');
      return;
    case 'nothing':
      void query.whereRaw('1 = 0');
      return;
    case 'in':
      whereColumnIn(query, scope, columns, numeric);
      return;
    case 'not':
      void query.whereNot((part) => whereInScope(part, scope.of, columns, numeric));
      return;
    case 'all':
      for (const one of scope.of) void query.where((part) => whereInScope(part, one, columns, numeric));
      return;
    case 'any':
      void query.where((either) => {
        for (const one of scope.of) void either.orWhere((part) => whereInScope(part, one, columns, numeric));
      });
  }
}

function whereColumnIn(
  query: Knex.QueryBuilder,
  { column, values }: { column: string; values: readonly string[] },
  columns: ScopeColumns,
  numeric: readonly string[],
): void {
  const name = columns[column];
  if (name === undefined) throw new Error(`no column given for the key column ${column}`);
  const bound = numeric.includes(column) ? values.map(Number).filter(Number.isSafeInteger) : values;
  void query.whereIn(name, bound);
}

/**
 * Returns the part of a scope on activities that applies to a checklist, which only has a schema. A grant for a single
 * activity does not apply to checklists.
 */
export function bySchema(scope: RightScope): RightScope {
  switch (scope.kind) {
    case 'in':
      return scope.column === 'Schema' ? scope : { kind: 'nothing' };
    case 'not':
      return { kind: 'not', of: bySchema(scope.of) };
    case 'all':
    case 'any':
      return { kind: scope.kind, of: scope.of.map(bySchema) };
    default:
      return scope;
  }
}

/** The existing rights: built-in rights, and custom rights that workbooks can require. */
import type { BodyOf } from '#shared/contract/endpoint.ts';
import type { ListedRight, Right, updateRight } from '#shared/contract/right-grants.ts';
import { rightNameIssue } from '#shared/contract/rights.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Actor } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import { recordEdit, revisionsOf } from '#server/access/edits.ts';
import type { CustomRight } from '#server/access/rights/grant-rows.ts';
import { countGrants, insertCustomRight, updateCustomRight, type GrantCount } from './grants-repository.ts';
import type { KeyValue, KeyValueSources, KeyValues } from '#server/access/rights/key-values.ts';
import { knownRights, type KnownRight, type KnownRights } from '#server/access/rights/known-rights.ts';

export interface RightDefinitions extends KnownRights {
  /** Throws an AppError 404 if there is no such right, or if it has no such key column. */
  require(name: string, keyColumn?: string): Promise<KnownRight>;
  /** Returns the right as listed, with the number of its grants. */
  view(right: KnownRight, keyColumn: string, counts: readonly GrantCount[]): Right;
  list(): Promise<ListedRight[]>;
  /** Throws an AppError 404 if the column has no such value. */
  keyValue(right: KnownRight, keyColumn: string, value: string): Promise<KeyValue>;
  create(actor: Actor, right: CustomRight): Promise<void>;
  update(actor: Actor, right: BodyOf<typeof updateRight>): Promise<void>;
}

export function createRightDefinitions(
  { knex, dialect }: Pick<Database, 'knex' | 'dialect'>,
  sources: KeyValueSources,
): RightDefinitions {
  const known = (db: Db = knex): Promise<KnownRight[]> => knownRights(db);

  function valuesOf({ TableName }: KnownRight, keyColumn: string): KeyValues {
    const values = sources[TableName]?.[keyColumn];
    if (!values) throw notFound();
    return values;
  }

  function view(right: KnownRight, KeyColumnName: string, counts: readonly GrantCount[]): Right {
    const { Name, Description, TableName, IsCustom } = right;
    const Columns = KeyColumnName === '' ? [] : [...valuesOf(right, KeyColumnName).displayColumns];
    const DisplayInfo = { Columns, JoinedColumns: [] };
    const own = counts.filter((count) => count.RightName === Name && count.KeyColumnName === KeyColumnName);
    return { Name, Description, SchemaName: '', TableName, KeyColumnName, DisplayInfo, IsCustom, ...countsOf(own) };
  }

  async function create(actor: Actor, { Name, Description }: CustomRight): Promise<void> {
    const issue = rightNameIssue(Name);
    if (issue !== null) throw nameRefused(issue);
    try {
      await inTransaction(knex, async (trx) => {
        const taken = (await known(trx)).some((right) => right.Name.toLowerCase() === Name.toLowerCase());
        if (taken) throw nameRefused(TAKEN);
        await insertCustomRight(trx, { Name, Description: Description.trim() });
        await recordActions(trx, actor, [{ Action: 'CreateRight', RightName: Name }]);
      });
    } catch (error) {
      throw dialect.classify(error).fault === 'unique' ? nameRefused(TAKEN) : error;
    }
  }

  return {
    known,
    view,
    create,
    require: async (name, keyColumn = '') => {
      const right = (await known()).find(({ Name }) => Name === name);
      if (!right || (keyColumn !== '' && !right.KeyColumns.includes(keyColumn))) throw notFound();
      return right;
    },
    list: async () => {
      const counts = await countGrants(knex);
      const revisionBy = await revisionsOf(knex, 'Rights', knex('Rights').pluck('Name'));
      return listedRights(await known(), revisionBy, (right, column) => view(right, column, counts));
    },
    keyValues: (right, keyColumn, db) => valuesOf(right, keyColumn).list(db),
    keyValue: async (right, keyColumn, value) => {
      const found = (await valuesOf(right, keyColumn).list()).find((candidate) => candidate.value === value);
      if (!found) throw new AppError('valueNotFound', 404, `There is no ${keyColumn} ${value}`);
      return found;
    },
    update: (actor, { Name, Description, Revision }) =>
      inTransaction(knex, async (trx) => {
        await recordEdit(trx, { table: 'Rights', key: Name }, { person: actor, Revision });
        if (!(await updateCustomRight(trx, { Name, Description: Description.trim() }))) throw notFound();
        await recordActions(trx, actor, [{ Action: 'UpdateRight', RightName: Name }]);
      }),
  };
}

const listedRights = (
  rights: readonly KnownRight[],
  revisionBy: (name: string) => number,
  view: (right: KnownRight, keyColumn: string) => Right,
): ListedRight[] =>
  rights.flatMap((right) =>
    ['', ...right.KeyColumns].map((column) => ({ ...view(right, column), Revision: revisionBy(right.Name) })),
  );

const TAKEN = 'A right with this name already exists';

function nameRefused(text: string): AppError {
  return new AppError('rightName', 400, text, { modelState: { Name: [text] } });
}

function notFound(): AppError {
  return new AppError('rightNotFound', 404, 'There is no such right');
}

/** Counts direct grants and denials. */
export function countsOf(counts: readonly GrantCount[]): Pick<Right, 'RoleCount' | 'UserCount' | 'InternetAccess'> {
  const sum = (kind: GrantCount['GranteeKind']): number =>
    counts.filter(({ GranteeKind }) => GranteeKind === kind).reduce((total, { Count }) => total + Count, 0);
  const internet = counts.find(({ GranteeKind }) => GranteeKind === 'internet')?.Access ?? 0;
  const InternetAccess = internet > 0 ? 1 : internet < 0 ? -1 : 0;
  return { RoleCount: sum('role'), UserCount: sum('user'), InternetAccess };
}

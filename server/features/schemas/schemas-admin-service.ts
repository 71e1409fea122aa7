import type { ManagedSchema } from '#shared/contract/schemas.ts';
import { schemaDisplayNameIssue, schemaNameIssue } from '#shared/rules/schema-rules.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Actor } from '#server/access/actor.ts';
import { recordActions, type NewAction } from '#server/access/audit/record-actions.ts';
import { deleteSchemaRow, insertSchema, listSchemaRows, updateSchema, type SchemaRow } from './schemas-repository.ts';
import { markSchemasChanged } from '#server/access/schemas.ts';
import { permanentSchemas } from './schemas-service.ts';

/**
 * Manages schemas. All changes except of the order are logged as security actions, because rights are restricted to
 * schemas by name.
 */
export interface SchemasAdminService {
  list(): Promise<ManagedSchema[]>;
  /** Throws an AppError 400 if the name is invalid or in use, ignoring case. */
  create(actor: Actor, schema: { Name: string; DisplayName: string }): Promise<void>;
  /** Throws an AppError 404 if there is no such schema, as does `delete`. */
  rename(actor: Actor, schema: { Name: string; DisplayName: string }): Promise<void>;
  /** Throws an AppError 409 unless these are the names of all schemas. */
  order(names: readonly string[]): Promise<void>;
  /**
   * Throws an AppError 409 if something belongs to the schema, if a right is restricted to it, or if each start creates
   * it again.
   */
  delete(actor: Actor, name: string): Promise<void>;
}

const LOCK = 'runsheet.schemas';

export function createSchemasAdminService(
  { knex, dialect }: Pick<Database, 'knex' | 'dialect'>,
  configured: readonly string[],
): SchemasAdminService {
  const permanent = new Set(permanentSchemas(configured));

  /** Runs changes one after another, so that each sees the previous one's result. */
  const change = (work: (trx: Db, rows: SchemaRow[]) => Promise<void>): Promise<void> =>
    inTransaction(knex, async (trx) => {
      await dialect.lock(trx, LOCK);
      await work(trx, await listSchemaRows(trx));
      await markSchemasChanged(trx, dialect);
    });

  return {
    list: async () => (await listSchemaRows(knex)).map((row) => ({ ...row, IsPermanent: permanent.has(row.Name) })),

    create: async (actor, sent) => {
      const [Name, DisplayName] = [sent.Name.trim(), sent.DisplayName.trim()];
      await change(async (trx, rows) => {
        const taken = rows.map((row) => row.Name);
        const issue = schemaNameIssue(Name, taken) ?? schemaDisplayNameIssue(DisplayName);
        if (issue !== null) throw new AppError('schemaInvalid', 400, issue);
        await insertSchema(trx, { Name, DisplayName, Order: Math.max(0, ...rows.map(({ Order }) => Order)) + 1 });
        await recordActions(trx, actor, [about('CreateSchema', Name)]);
      });
    },

    rename: async (actor, sent) => {
      const DisplayName = sent.DisplayName.trim();
      const issue = schemaDisplayNameIssue(DisplayName);
      if (issue !== null) throw new AppError('schemaInvalid', 400, issue);
      await change(async (trx, rows) => {
        if (rowOf(rows, sent.Name).DisplayName === DisplayName) return;
        await updateSchema(trx, sent.Name, { DisplayName });
        await recordActions(trx, actor, [about('RenameSchema', sent.Name)]);
      });
    },

    order: (names) =>
      change(async (trx, rows) => {
        const isComplete = new Set(names).size === rows.length && rows.every(({ Name }) => names.includes(Name));
        if (!isComplete || names.length !== rows.length) {
          throw new AppError('schemasChanged', 409, 'Schemas have been added or deleted since: load them again');
        }
        for (const [at, Name] of names.entries()) {
          if (rowOf(rows, Name).Order !== at + 1) await updateSchema(trx, Name, { Order: at + 1 });
        }
      }),

    delete: (actor, name) =>
      change(async (trx, rows) => {
        const obstacle = deletionObstacle(rowOf(rows, name), permanent);
        if (obstacle !== null) throw new AppError('schemaInUse', 409, obstacle);
        await deleteSchemaRow(trx, name).catch((error: unknown) => {
          if (dialect.classify(error).fault !== 'foreignKey') throw error;
          throw new AppError('schemaInUse', 409, 'Something has been added to the schema, so it cannot be deleted');
        });
        await recordActions(trx, actor, [about('DeleteSchema', name)]);
      }),
  };
}

function rowOf(rows: readonly SchemaRow[], name: string): SchemaRow {
  const row = rows.find(({ Name }) => Name === name);
  if (!row) throw new AppError('schemaNotFound', 404, 'There is no such schema');
  return row;
}

const about = (Action: NewAction['Action'], KeyColumnValue: string): NewAction => ({
  Action,
  KeyColumnName: 'Schema',
  KeyColumnValue,
});

function deletionObstacle({ Name, Activities, Checklists, Grants }: SchemaRow, permanent: ReadonlySet<string>) {
  const counted: [number, string, string][] = [
    [Activities, 'activity', 'activities'],
    [Checklists, 'checklist', 'checklists'],
    [Grants, 'right', 'rights'],
  ];
  const held = counted
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `${count} ${count === 1 ? one : many}`);
  if (held.length > 0) return `The schema cannot be deleted: it still has ${held.join(', ')}`;
  return permanent.has(Name)
    ? 'The server creates this schema again at each start: it is built in or listed in the settings'
    : null;
}

import type { Knex } from 'knex';
import type { NameColumns } from '#server/base/full-name.ts';
import type { Db } from '#server/db/dialect/types.ts';

export interface WorkflowVersionRow extends NameColumns {
  Version: number;
  /** JSON. */
  Graph: string;
  ChangeDescription: string;
  Modified: Date;
}

const versions = (db: Db, checklistId: number) =>
  db('WorkflowVersions as V')
    .join('Users as U', 'U.UserId', 'V.UserId')
    .where('V.ChecklistId', checklistId)
    .select('V.Version', 'V.Graph', 'V.ChangeDescription', 'V.Modified', 'U.FirstName', 'U.MiddleName', 'U.LastName');

export async function findVersion(
  db: Db,
  checklistId: number,
  version: number,
): Promise<WorkflowVersionRow | undefined> {
  return versions(db, checklistId).where('V.Version', version).first() as unknown as Promise<
    WorkflowVersionRow | undefined
  >;
}

/** Newest first. */
export async function listVersions(db: Db, checklistId: number, limit: number): Promise<WorkflowVersionRow[]> {
  return versions(db, checklistId).orderBy('V.Version', 'desc').limit(limit) as unknown as Promise<
    WorkflowVersionRow[]
  >;
}

/** Stores a version, and makes it the one that is run. */
export async function insertVersion(
  trx: Knex.Transaction,
  row: { ChecklistId: number; Version: number; Graph: string; ChangeDescription: string; UserId: number },
  Modified: Knex.Raw,
): Promise<void> {
  await trx('WorkflowVersions').insert(row);
  await trx('Checklists')
    .where('Id', row.ChecklistId)
    .update({ WorkflowVersion: row.Version, Modified, Revision: trx.raw('?? + 1', ['Revision']) });
}

/** Activities by schema and name, whatever their letter case. */
export async function findActivitiesByName(
  db: Db,
  names: readonly { Schema: string; NameKey: string }[],
): Promise<{ Id: number; Schema: string; NameKey: string }[]> {
  const keys = [...new Set(names.map(({ NameKey }) => NameKey))];
  return db('Activities').whereIn('NameKey', keys).select('Id', 'Schema', 'NameKey');
}

/** When data was last backed up and verified. The commands of operators write it, and the page Setup reads it. */
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { Database } from '#server/db/database.ts';

const RECORDS = {
  backup: Type.Object({
    Time: Type.String(),
    Files: Type.Integer(),
    DamagedFiles: Type.Integer(),
    /** False if the database must be backed up with its own tools. */
    HasDatabase: Type.Boolean(),
  }),
  verification: Type.Object({
    Time: Type.String(),
    Files: Type.Integer(),
    MissingFiles: Type.Integer(),
    ChangedFiles: Type.Integer(),
    IsLogIntact: Type.Boolean(),
  }),
};
const NAMES = { backup: 'LastBackup', verification: 'LastVerification' } as const;

type Records = { [Kind in keyof typeof RECORDS]: Static<(typeof RECORDS)[Kind]> };

/** Replaces the record of the last one. The time is that of the database. */
export async function recordDataWork<Kind extends keyof Records>(
  { knex, dialect }: Pick<Database, 'knex' | 'dialect'>,
  kind: Kind,
  work: Omit<Records[Kind], 'Time'>,
): Promise<void> {
  const [row] = (await knex.select({ now: dialect.now(knex) })) as { now: Date }[];
  const text = JSON.stringify({ ...work, Time: new Date(row!.now).toISOString() });
  const rows = [{ Name: NAMES[kind], Value: text }];
  await dialect.upsert(knex, { table: 'Settings', key: ['Name'], update: ['Value'], rows });
}

/** Returns null if there was none, or none that this version understands. */
export async function lastDataWork<Kind extends keyof Records>(
  { knex }: Pick<Database, 'knex'>,
  kind: Kind,
): Promise<Records[Kind] | null> {
  const row = (await knex('Settings').where({ Name: NAMES[kind] }).first('Value')) as { Value: string } | undefined;
  if (!row) return null;
  const record: unknown = JSON.parse(row.Value);
  return isOf(kind, record) ? record : null;
}

const isOf = <Kind extends keyof Records>(kind: Kind, record: unknown): record is Records[Kind] =>
  Value.Check(RECORDS[kind], record);

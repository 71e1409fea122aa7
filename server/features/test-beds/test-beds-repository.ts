import type { Knex } from 'knex';
import type { NameColumns } from '#server/base/full-name.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { insertedId } from '#server/db/inserted-id.ts';
import type { CaseResult, PropertyCheck, ReplayedCase, TestCaseContent } from '#shared/contract/test-beds.ts';

export interface BedSettings {
  MustPass: boolean;
  Checks: PropertyCheck[];
}

export async function readSettings(db: Db, ActivityId: number): Promise<BedSettings> {
  const row = await db('TestBeds')
    .where({ ActivityId })
    .first<{ MustPass: boolean; Checks: string } | undefined>('MustPass', 'Checks');
  return row
    ? { MustPass: row.MustPass, Checks: JSON.parse(row.Checks) as PropertyCheck[] }
    : { MustPass: false, Checks: [] };
}

export async function writeSettings(
  { knex, dialect }: Pick<Database, 'knex' | 'dialect'>,
  ActivityId: number,
  { MustPass, Checks }: BedSettings,
): Promise<void> {
  const row = { ActivityId, MustPass, Checks: JSON.stringify(Checks) };
  await dialect.upsert(knex, { table: 'TestBeds', rows: [row], key: ['ActivityId'], update: ['MustPass', 'Checks'] });
}

export interface StoredCase extends TestCaseContent {
  Id: number;
  ActivityId: number;
}

interface CaseRow extends Pick<StoredCase, 'Id' | 'ActivityId' | 'Name' | 'Status'> {
  Inputs: string;
  Expected: string;
}

const CONTENT = ['Id', 'ActivityId', 'Name', 'Status', 'Inputs', 'Expected'];

const caseOf = ({ Inputs, Expected, ...row }: CaseRow): StoredCase => ({
  ...row,
  Inputs: JSON.parse(Inputs) as TestCaseContent['Inputs'],
  Expected: JSON.parse(Expected) as TestCaseContent['Expected'],
});

export async function listCases(db: Db, ActivityId: number): Promise<StoredCase[]> {
  const rows = await db('TestCases').where({ ActivityId }).orderBy('Id').select<CaseRow[]>(CONTENT);
  return rows.map(caseOf);
}

export async function findCase(db: Db, Id: number): Promise<StoredCase | undefined> {
  const row = await db('TestCases').where({ Id }).first<CaseRow | undefined>(CONTENT);
  return row && caseOf(row);
}

export interface ListedCase extends StoredCase, NameColumns {
  ModifiedTime: Date;
  Result: CaseResult | null;
  ResultTime: Date | null;
}

export async function listCasesWithResults(db: Db, ActivityId: number): Promise<ListedCase[]> {
  const rows = await db('TestCases as C')
    .join('Users as U', 'U.UserId', 'C.UserId')
    .where('C.ActivityId', ActivityId)
    .orderBy('C.Id')
    .select([...CONTENT, 'ModifiedTime', 'Result', 'ResultTime'].map((column) => `C.${column}`))
    .select<(CaseRow & NameColumns & { ModifiedTime: Date; Result: string | null; ResultTime: Date | null })[]>(
      'U.FirstName',
      'U.MiddleName',
      'U.LastName',
    );
  return rows.map(({ Result, ...row }) => ({
    ...row,
    ...caseOf(row),
    Result: Result === null ? null : (JSON.parse(Result) as CaseResult),
  }));
}

export async function countCases(db: Db, ActivityId: number): Promise<number> {
  const [row] = await db('TestCases').where({ ActivityId }).count<{ Count: number }[]>({ Count: '*' });
  return row?.Count ?? 0;
}

const columnsOf = ({ Name, Status, Inputs, Expected }: TestCaseContent) => ({
  Name: Name.trim(),
  Status,
  Inputs: JSON.stringify(Inputs),
  Expected: JSON.stringify(Expected),
});

export async function insertCase(
  db: Db,
  content: TestCaseContent,
  of: { ActivityId: number; UserId: number },
): Promise<number> {
  return insertedId(
    db('TestCases')
      .insert({ ...of, ...columnsOf(content) })
      .returning('Id'),
  );
}

/** Clears the last result, which was found with other values. */
export async function updateCase(
  db: Db,
  Id: number,
  content: TestCaseContent,
  by: { UserId: number; ModifiedTime: Knex.Raw },
): Promise<void> {
  await db('TestCases')
    .where({ Id })
    .update({ ...by, ...columnsOf(content), Result: null, ResultTime: null });
}

export async function deleteCase(db: Db, Id: number): Promise<void> {
  await db('TestCases').where({ Id }).delete();
}

export async function writeResult(db: Db, Id: number, result: CaseResult, ResultTime: Knex.Raw): Promise<void> {
  await db('TestCases')
    .where({ Id })
    .update({ Result: JSON.stringify(result), ResultTime });
}

/** Returns activities with cases. */
export async function listBeds(
  db: Db,
  activityId: number | null,
): Promise<{ Id: number; Name: string; Version: number }[]> {
  const query = db('Activities as A').whereExists(
    db('TestCases as C').select(db.raw('1')).whereRaw('?? = ??', ['C.ActivityId', 'A.Id']),
  );
  if (activityId !== null) void query.where('A.Id', activityId);
  return query.orderBy('A.Id').select<{ Id: number; Name: string; Version: number }[]>('A.Id', 'A.Name', 'A.Version');
}

export interface RefusedRow extends NameColumns {
  Id: number;
  ActivityId: number;
  Time: Date;
  FileId: string;
  FileName: string;
  StoreKey: string;
  ContentLength: number;
  Sha256: string;
  Fields: Record<string, string>;
  Report: ReplayedCase[];
}

type StoredRefusal = Omit<RefusedRow, 'Fields' | 'Report'> & { Fields: string; Report: string };

const refused = (db: Db) =>
  db('RefusedVersions as R')
    .join('Users as U', 'U.UserId', 'R.UserId')
    .join('StoredFiles as F', 'F.FileId', 'R.FileId')
    .select('R.Id', 'R.ActivityId', 'R.Time', 'R.Fields', 'R.Report', 'R.FileId')
    .select('F.FileName', 'F.StoreKey', 'F.ContentLength', 'F.Sha256')
    .select<StoredRefusal[]>('U.FirstName', 'U.MiddleName', 'U.LastName');

const refusedOf = (row: StoredRefusal): RefusedRow => ({
  ...row,
  Fields: JSON.parse(row.Fields) as RefusedRow['Fields'],
  Report: JSON.parse(row.Report) as ReplayedCase[],
});

/** Maximum number of refused uploads shown per activity. */
const REFUSED_SHOWN = 20;

export async function listRefused(db: Db, activityId: number): Promise<RefusedRow[]> {
  const rows = await refused(db).where('R.ActivityId', activityId).orderBy('R.Id', 'desc').limit(REFUSED_SHOWN);
  return rows.map(refusedOf);
}

export async function findRefused(db: Db, id: number): Promise<RefusedRow | undefined> {
  const row = await refused(db).where('R.Id', id).first();
  return row && refusedOf(row);
}

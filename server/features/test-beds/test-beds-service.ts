/**
 * Test beds: cases of an activity that are written manually, created from runs or imported, and replayed on request.
 */
import { AppError } from '#server/base/app-error.ts';
import { fullName } from '#server/base/full-name.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { ActivityAccess, VisibleActivity } from '#server/access/activity-access.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import type { RowFile } from '#server/files/received-file.ts';
import { rowInputs, type ReadRows, type RowInput } from '#server/sheets/row-inputs.ts';
import type { BuildRows } from '#server/sheets/row-workbook-builder.ts';
import type { RunsService } from '#server/features/runs/runs-service.ts';
import { trialObstacle } from '#server/versions/triable.ts';
import type { Actor } from '#server/access/actor.ts';
import { recordEdit, revisionOf, type EditedRecord } from '#server/access/edits.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { nameKey, type ActivityVersion, type VersionCatalog } from '#server/versions/version-catalog.ts';
import type { BodyOf } from '#shared/contract/endpoint.ts';
import {
  TEST_CASES_MAX,
  type PropertyCheck,
  type ReplayedCase,
  type saveTestBed,
  type saveTestCase,
  type StoredTestCase,
  type TestBed,
  type TestCaseContent,
} from '#shared/contract/test-beds.ts';
import { caseOfRun } from './case-of-run.ts';
import { requireComparing, requireNewNames, requireStartable, takenNames } from './case-checks.ts';
import { checkIssue } from './property-checks.ts';
import type { Replayer } from './replay-cases.ts';
import { caseTemplate, casesOfSheet } from './test-cases-sheet.ts';
import { casesToReplay, presetsByName } from './test-gate-service.ts';
import {
  countCases,
  deleteCase,
  findCase,
  insertCase,
  listCasesWithResults,
  listRefused,
  readSettings,
  updateCase,
  writeSettings,
  writeResult,
  type StoredCase,
} from './test-beds-repository.ts';

export interface TestBedsService {
  read(person: Person, activityId: number): Promise<TestBed>;
  readCase(person: Person, id: number): Promise<StoredTestCase>;
  save(person: Person, actor: Actor, bed: BodyOf<typeof saveTestBed>): Promise<void>;
  saveCase(person: Person, testCase: BodyOf<typeof saveTestCase>): Promise<number>;
  ofRun(person: Person, runId: number): Promise<number>;
  deleteCase(person: Person, id: number): Promise<void>;
  replay(person: Person, activityId: number, caseId: number | null, signal: AbortSignal): Promise<ReplayedCase[]>;
  /** Returns a download token. */
  template(person: Person, activityId: number): Promise<string>;
  /** Returns the number of added cases. */
  importCases(person: Person, activityId: number, file: RowFile, signal: AbortSignal): Promise<number>;
}

export interface TestBedsDeps {
  database: Database;
  access: ActivityAccess;
  activities: Pick<ActivitiesService, 'inputsFor'>;
  versions: VersionCatalog;
  runs: Pick<RunsService, 'details'>;
  files: Pick<FilesService, 'tokenForNew'>;
  store: Pick<FileStore, 'read'>;
  replayer: Replayer;
  readRows: ReadRows;
  buildRows: BuildRows;
}

const bedOf = (activityId: number): EditedRecord => ({ table: 'TestBeds', key: activityId });
const caseOf = (id: number): EditedRecord => ({ table: 'TestCases', key: id });
const caseNotFound = (): AppError => new AppError('testCaseNotFound', 404, 'There is no such test case');

// oxlint-disable-next-line max-lines-per-function -- a list of what can be done with a test-bed, each in a few lines
export function createTestBedsService(deps: TestBedsDeps): TestBedsService {
  const { database, access } = deps;
  const { knex, dialect } = database;

  async function requireCase(person: Person, id: number, mayChange: boolean): Promise<StoredCase> {
    const found = await findCase(knex, id);
    if (!found) throw caseNotFound();
    await (mayChange
      ? access.requireEdit(knex, person, found.ActivityId)
      : access.require(knex, person, found.ActivityId));
    return found;
  }

  return {
    read: async (person, activityId) => {
      const visible = await access.require(knex, person, activityId);
      const Revision = await revisionOf(knex, bedOf(activityId));
      const [settings, cases, refused, version] = await Promise.all([
        readSettings(knex, activityId),
        listCasesWithResults(knex, activityId),
        listRefused(knex, activityId),
        currentVersion(deps.versions, visible),
      ]);
      return {
        ActivityName: visible.activity.Name,
        Version: visible.activity.Version,
        CanEdit: visible.CanEdit,
        ...settings,
        Revision,
        Cases: cases.map((one) => ({
          Id: one.Id,
          Name: one.Name,
          InputCount: one.Inputs.length,
          ExpectedCount: one.Expected.length,
          ModifiedTime: one.ModifiedTime.toISOString(),
          UserFullName: fullName(one),
          Result: one.Result,
          ResultTime: one.ResultTime?.toISOString() ?? null,
        })),
        Refused: refused.map((row) => ({
          Id: row.Id,
          Time: row.Time.toISOString(),
          UserFullName: fullName(row),
          FileName: row.FileName,
          ChangeDescription: row.Fields['ChangeDescription'] ?? '',
          Cases: row.Report,
        })),
        Obstacle: trialObstacle(version.definition),
      };
    },
    readCase: async (person, id) => {
      const Revision = await revisionOf(knex, caseOf(id));
      const { Name, Status, Inputs, Expected } = await requireCase(person, id, false);
      return { Name, Status, Inputs, Expected, Revision };
    },
    save: async (person, actor, { ActivityId, MustPass, Checks, Revision }) => {
      const visible = await access.requireEdit(knex, person, ActivityId);
      const { definition } = await currentVersion(deps.versions, visible);
      const outputs = definition.outputs.map(({ Name, Info }) => ({ Name, columns: Info.ColumnHeaderValues }));
      for (const { Name, Expression } of Checks) {
        const issue = checkIssue(Expression, outputs);
        if (issue !== null) throw new AppError('checkInvalid', 400, `${Name}: ${issue}`);
      }
      await inTransaction(knex, async (trx) => {
        await recordEdit(trx, bedOf(ActivityId), { person, Revision });
        const before = await readSettings(trx, ActivityId);
        await writeSettings({ knex: trx, dialect }, ActivityId, { MustPass, Checks });
        // Logged, because the rule decides which workbooks can become what people run.
        if (before.MustPass !== MustPass) await recordActions(trx, actor, [ruleAction(ActivityId, MustPass)]);
      });
    },
    saveCase: async (person, { ActivityId, Id, Revision, ...content }) => {
      const visible = await access.requireEdit(knex, person, ActivityId);
      requireJson(content);
      const version = await currentVersion(deps.versions, visible);
      requireReplayable(version);
      const { definition } = version;
      requireStartable({ definition, presets: await presetsByName(knex, ActivityId) }, content);
      requireComparing([content], (await readSettings(knex, ActivityId)).Checks);
      const { UserId } = person;
      if (Id === null) return addCases(database, { ActivityId, UserId }, [content]).then(([id]) => id!);
      if ((await requireCase(person, Id, true)).ActivityId !== ActivityId) throw caseNotFound();
      await inTransaction(knex, async (trx) => {
        await recordEdit(trx, caseOf(Id), { person, Revision });
        await dialect.lock(trx, `test-cases/${ActivityId}`);
        await requireNewNames(trx, { ActivityId, Id }, [content.Name]);
        await updateCase(trx, Id, content, { UserId, ModifiedTime: dialect.now(trx) });
      });
      return Id;
    },
    ofRun: async (person, runId) => {
      const run = await deps.runs.details(person, runId);
      const visible = await access.requireEdit(knex, person, run.ActivityId);
      requireReplayable(await currentVersion(deps.versions, visible));
      const of = { ActivityId: run.ActivityId, UserId: person.UserId };
      const content = caseOfRun(run);
      requireComparing([content], (await readSettings(knex, run.ActivityId)).Checks);
      const [id] = await addCases(database, of, [content]);
      return id!;
    },
    deleteCase: async (person, id) => {
      await requireCase(person, id, true);
      await deleteCase(knex, id);
    },
    replay: async (person, activityId, caseId, signal) => {
      const visible = await access.requireEdit(knex, person, activityId);
      return replayStored(deps, await currentVersion(deps.versions, visible), caseId, signal);
    },
    template: async (person, activityId) => {
      const visible = await access.requireEdit(knex, person, activityId);
      const version = await currentVersion(deps.versions, visible);
      requireReplayable(version);
      const content = caseTemplate(await filledInputs(deps, person, visible, version), version.outputs);
      return deps.files.tokenForNew(person, `${visible.activity.Name} test cases.xlsx`, await deps.buildRows(content));
    },
    importCases: async (person, activityId, file, signal) => {
      const visible = await access.requireEdit(knex, person, activityId);
      const version = await currentVersion(deps.versions, visible);
      requireReplayable(version);
      const sheet = await deps.readRows(file, signal);
      if (sheet.rows.length > TEST_CASES_MAX) throw tooMany();
      const filled = await filledInputs(deps, person, visible, version);
      const taken = await takenNames(knex, { ActivityId: activityId, Id: null });
      const mustCompare = (await readSettings(knex, activityId)).Checks.length === 0;
      const cases = casesOfSheet(sheet, filled, version.outputs, { taken, mustCompare });
      await addCases(database, { ActivityId: activityId, UserId: person.UserId }, cases);
      return cases.length;
    },
  };
}

const ruleAction = (ActivityId: number, MustPass: boolean) => ({
  Action: MustPass ? ('RequireTestCases' as const) : ('WaiveTestCases' as const),
  KeyColumnName: 'ActivityId',
  KeyColumnValue: String(ActivityId),
});

const tooMany = (): AppError =>
  new AppError('testCasesTooMany', 409, `An activity can have at most ${TEST_CASES_MAX} test cases: delete some first`);

/** The cases and checks that an activity starts with. */
export interface NewTestBed {
  Cases: TestCaseContent[];
  Checks: PropertyCheck[];
}

/** Adds a test bed to an activity that the caller has just created. */
export async function addTestBed(
  database: Database,
  of: { ActivityId: number; UserId: number },
  { Cases, Checks }: NewTestBed,
): Promise<void> {
  await addCases(database, of, Cases);
  if (Checks.length > 0) await writeSettings(database, of.ActivityId, { MustPass: false, Checks });
}

async function addCases(
  { knex, dialect }: Database,
  of: { ActivityId: number; UserId: number },
  cases: readonly TestCaseContent[],
): Promise<number[]> {
  return inTransaction(knex, async (trx) => {
    await dialect.lock(trx, `test-cases/${of.ActivityId}`);
    if ((await countCases(trx, of.ActivityId)) + cases.length > TEST_CASES_MAX) throw tooMany();
    const names = cases.map(({ Name }) => Name);
    await requireNewNames(trx, { ActivityId: of.ActivityId, Id: null }, names);
    const ids: number[] = [];
    for (const one of cases) ids.push(await insertCase(trx, one, of));
    return ids;
  });
}

/** Replays the cases with an existing version, and stores the results. */
export async function replayStored(
  { database: { knex, dialect }, store, replayer }: Pick<TestBedsDeps, 'database' | 'store' | 'replayer'>,
  { ActivityId, Version, definition, file }: ActivityVersion,
  caseId: number | null,
  signal: AbortSignal,
): Promise<ReplayedCase[]> {
  const cases = await casesToReplay(knex, ActivityId, caseId);
  if (caseId !== null && cases.length === 0) throw caseNotFound();
  if (!file && !definition.procedure)
    throw new AppError('fileMissing', 404, 'This activity version file does not exist');
  const { Checks } = await readSettings(knex, ActivityId);
  const candidate = {
    Version,
    versionKey: `${ActivityId}/${Version}`,
    definition,
    fileName: file?.FileName ?? '',
    readWorkbook: () => store.read(file?.StoreKey ?? ''),
    presets: await presetsByName(knex, ActivityId),
  };
  const results = await replayer.replay(candidate, cases, Checks, signal);
  for (const [at, { Id }] of cases.entries()) await writeResult(knex, Id, results[at]!, dialect.now(knex));
  return cases.map(({ Name }, at) => ({ Name, Result: results[at]! }));
}

async function currentVersion(
  versions: VersionCatalog,
  { activity: { Id, Version } }: Pick<VisibleActivity, 'activity'>,
): Promise<ActivityVersion> {
  const version = await versions.get(Id, Version);
  if (!version) throw new Error(`activity ${Id} has no version ${Version}`);
  return version;
}

function requireReplayable({ definition }: ActivityVersion): void {
  const obstacle = trialObstacle(definition);
  if (obstacle !== null) throw new AppError('notReplayable', 422, obstacle);
}

async function filledInputs(
  { activities }: Pick<TestBedsDeps, 'activities'>,
  person: Person,
  { activity }: VisibleActivity,
  version: ActivityVersion,
): Promise<RowInput[]> {
  const inputs = await activities.inputsFor(person, activity, version);
  return rowInputs(inputs, new Map(version.inputs.map(({ Id, pickerItems }) => [Id, pickerItems])));
}

function requireJson({ Inputs, Expected }: TestCaseContent): void {
  for (const { Name, Value } of [...Inputs, ...Expected]) {
    try {
      if (Value !== null) JSON.parse(Value);
    } catch {
      throw new AppError('invalid_request', 400, `The value of ${Name} is not valid JSON`);
    }
  }
  const names = [...Expected.map(({ Name }) => `out ${nameKey(Name)}`), ...Inputs.map(({ Name }) => nameKey(Name))];
  if (new Set(names).size < names.length)
    throw new AppError('invalid_request', 400, 'An input or output is named more than once');
}

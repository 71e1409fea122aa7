/** Test cases of an activity: inputs and expected outputs. They are replayed before a version takes effect. */
import { Type, type Static } from 'typebox';
import { FileToken } from './activities.ts';
import { DRY_RUN_STATUSES } from './dry-runs.ts';
import {
  closed,
  EditedRevision,
  get,
  Id,
  IdParams,
  needsOn,
  nullable,
  post,
  Revision,
  RunParams,
  Timestamp,
} from './endpoint.ts';
import { InputSetValue } from './input-sets.ts';

export const TEST_CASES_MAX = 200;
export const TEST_CHECKS_MAX = 50;
/** Maximum number of differing cells returned per case. */
export const TEST_DIFFERENCES_MAX = 100;

export const TEST_CASE_NAME_MAX = 100;
/** Maximum number of problem cells returned per import. */
export const TEST_ISSUES_MAX = 200;

const CaseName = Type.String({ minLength: 1, maxLength: TEST_CASE_NAME_MAX, pattern: '\\S' });
const Tolerance = Type.Number({ minimum: 0, maximum: 1e15 });

export const ExpectedOutput = closed({
  Name: Type.String({ minLength: 1, maxLength: 255 }),
  /** JSON text, like an output's value. */
  Value: Type.String({ minLength: 1, maxLength: 2_000_000 }),
  /** Maximum absolute deviation of a number. */
  Tolerance,
  /** Maximum deviation as a fraction of the expected number. */
  RelativeTolerance: Tolerance,
});
export type ExpectedOutput = Static<typeof ExpectedOutput>;

export const TestCaseContent = closed({
  Name: CaseName,
  /** Expected status of the calculation. */
  Status: Type.Enum(DRY_RUN_STATUSES),
  /** Missing inputs use the workbook's own values, or their preset values. */
  Inputs: Type.Array(InputSetValue, { maxItems: 1000 }),
  /** Missing outputs are not compared. */
  Expected: Type.Array(ExpectedOutput, { maxItems: 1000 }),
});
export type TestCaseContent = Static<typeof TestCaseContent>;

export const StoredTestCase = closed({ ...TestCaseContent.properties, Revision });
export type StoredTestCase = Static<typeof StoredTestCase>;

/** A condition on the outputs that every case must fulfill. */
export const PropertyCheck = closed({
  Name: CaseName,
  /** A comparison in Excel syntax: SUM(Schedule[Interest]) = Total_Interest. */
  Expression: Type.String({ minLength: 1, maxLength: 1000 }),
  /** Maximum difference between the two sides. */
  Tolerance,
});
export type PropertyCheck = Static<typeof PropertyCheck>;

export const CellDifference = closed({
  /** Name of the output; '' if the status of the calculation differs. */
  Output: Type.String(),
  /** The cell, counted from 1, with the title of its column; '' for a single value. */
  Cell: Type.String(),
  Expected: Type.String(),
  Actual: Type.String(),
});
export type CellDifference = Static<typeof CellDifference>;

export const CASE_OUTCOMES = ['Passed', 'Failed', 'NotReplayed'] as const;

export const CaseResult = closed({
  Outcome: Type.Enum(CASE_OUTCOMES),
  /** The version used for the replay; null for an upload that was refused. */
  Version: nullable(Type.Integer()),
  /** The engine used for the calculation, and the version of the program. */
  Engine: Type.String(),
  Program: Type.String(),
  /** Why the case could not be replayed, or the log of a calculation with an unexpected status. */
  Messages: Type.Array(Type.String()),
  Differences: Type.Array(CellDifference),
  /** Number of all differences, including those beyond TEST_DIFFERENCES_MAX. */
  DifferenceCount: Type.Integer(),
  Checks: Type.Array(closed({ Name: Type.String(), Holds: Type.Boolean(), Message: Type.String() })),
});
export type CaseResult = Static<typeof CaseResult>;

export const TestCaseItem = closed({
  Id,
  Name: Type.String(),
  InputCount: Type.Integer(),
  ExpectedCount: Type.Integer(),
  ModifiedTime: Timestamp,
  UserFullName: Type.String(),
  Result: nullable(CaseResult),
  ResultTime: nullable(Timestamp),
});
export type TestCaseItem = Static<typeof TestCaseItem>;

export const ReplayedCase = closed({ Name: Type.String(), Result: CaseResult });
export type ReplayedCase = Static<typeof ReplayedCase>;

export const RefusedVersion = closed({
  Id,
  Time: Timestamp,
  UserFullName: Type.String(),
  FileName: Type.String(),
  ChangeDescription: Type.String(),
  Cases: Type.Array(ReplayedCase),
});
export type RefusedVersion = Static<typeof RefusedVersion>;

export const TestBed = closed({
  ActivityName: Type.String(),
  Version: Type.Integer(),
  CanEdit: Type.Boolean(),
  MustPass: Type.Boolean(),
  Checks: Type.Array(PropertyCheck),
  /** Of MustPass and Checks. */
  Revision,
  Cases: Type.Array(TestCaseItem),
  /** Uploads that were refused and did not become versions, newest first. */
  Refused: Type.Array(RefusedVersion),
  /** Why no case of the activity can be replayed; null if they can. */
  Obstacle: nullable(Type.String()),
});
export type TestBed = Static<typeof TestBed>;

export const testBed = get('/api/activities/testbed/:id', {
  access: needsOn('sk.RunActivity'),
  summary:
    'List the test cases of an activity with their last results, its property checks, and the uploads that failed them',
  parts: { params: IdParams, result: TestBed },
});

export const testCase = get('/api/activities/testcase/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'Get the values of a test case',
  parts: { params: IdParams, result: StoredTestCase },
});

export const saveTestBed = post('/api/activities/testbed', {
  access: needsOn('sk.EditActivity'),
  summary: 'Set the property checks of an activity, and whether new versions must pass its test cases',
  parts: {
    body: closed({
      ActivityId: Id,
      MustPass: Type.Boolean(),
      Checks: Type.Array(PropertyCheck, { maxItems: TEST_CHECKS_MAX }),
      Revision: EditedRevision,
    }),
    result: Type.Null(),
  },
});

export const saveTestCase = post('/api/activities/testcase', {
  access: needsOn('sk.EditActivity'),
  summary: 'Create or update a test case',
  parts: {
    body: closed({ ActivityId: Id, Id: nullable(Id), ...TestCaseContent.properties, Revision: EditedRevision }),
    result: closed({ Id }),
  },
});

export const testCaseOfRun = post('/api/activities/testcase/fromrun/:runId', {
  access: needsOn('sk.EditActivity'),
  summary: 'Save the inputs and outputs of a run as a test case',
  parts: { params: RunParams, result: closed({ Id }) },
});

export const deleteTestCase = post('/api/activities/testcase/delete/:id', {
  access: needsOn('sk.EditActivity'),
  summary: 'Delete a test case',
  parts: { params: IdParams, result: Type.Null() },
});

export const replayTestBed = post('/api/activities/testbed/replay', {
  access: needsOn('sk.EditActivity'),
  summary: 'Replay all test cases or one with the newest version; responds when the replay has ended',
  parts: {
    body: closed({ ActivityId: Id, CaseId: nullable(Id) }),
    result: closed({ Cases: Type.Array(ReplayedCase) }),
  },
});

export const testCaseTemplate = get('/api/activities/testbed/template/:id', {
  access: needsOn('sk.EditActivity'),
  summary: 'Create the template for test cases, a workbook with one test case per row; returns a file token',
  parts: { params: IdParams, result: FileToken },
});

/** A cell of a table that prevents the import. */
export const CaseIssue = closed({
  /** Cell address such as C7; '' for the table as a whole. */
  Cell: Type.String(),
  /** Title of the column; '' if there is none. */
  Column: Type.String(),
  Message: Type.String(),
});
export type CaseIssue = Static<typeof CaseIssue>;

/** Result of a refused import; has no issues if the file cannot be read at all. */
export const RefusedImport = closed({
  Message: Type.String(),
  Issues: Type.Optional(Type.Array(CaseIssue)),
  /** Number of all issues, including those beyond TEST_ISSUES_MAX. */
  IssueCount: Type.Optional(Type.Integer()),
});
export type RefusedImport = Static<typeof RefusedImport>;

export const importTestCases = post('/api/activities/testbed/import/:id', {
  access: needsOn('sk.EditActivity'),
  summary: 'Import test cases from a filled-in template, or from a text with the same columns; all of them or none',
  transport: 'multipart',
  parts: { params: IdParams, result: closed({ Count: Type.Integer() }), refused: RefusedImport },
});

export const publishRefused = post('/api/activities/testbed/refused/publish/:id', {
  access: needsOn('sk.EditActivity'),
  summary: 'Replay the test cases with a rejected upload, and publish it if they pass now',
  parts: { params: IdParams, result: closed({ Version: Type.Integer() }) },
});

export const downloadRefused = get('/api/activities/testbed/refused/download/:id', {
  access: needsOn('sk.EditActivity'),
  summary: 'Download the workbook of a rejected upload; returns a file token',
  parts: { params: IdParams, result: FileToken },
});

export const deleteRefused = post('/api/activities/testbed/refused/delete/:id', {
  access: needsOn('sk.EditActivity'),
  summary: 'Delete a rejected upload',
  parts: { params: IdParams, result: Type.Null() },
});

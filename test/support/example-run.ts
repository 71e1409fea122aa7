/** A run as the contract describes it, for tests of what shows it. */
import type { InputInfo, Output, OutputInfo, RunInput } from '#shared/contract/parameters.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';

const info = (part: Partial<OutputInfo> = {}): OutputInfo => ({
  RangeType: 'SingleCell',
  CellUsages: ['Number'],
  CalculateImmediately: false,
  SqlNames: [],
  HeaderRows: 0,
  HeaderCols: 0,
  RowsVariable: false,
  ColumnHeaderValues: [],
  RowHeaderValues: [],
  Formats: ['#,##0.00'],
  ...part,
});

/** The id is the length of the name. */
export const exampleOutput = (Name: string, value: unknown, part: Partial<OutputInfo> = {}): Output => ({
  Id: Name.length,
  ActivityId: 1,
  Name,
  Description: '',
  Info: info(part),
  Value: JSON.stringify(value),
});

export const exampleTable = (columns: readonly string[], part: Partial<OutputInfo> = {}): Partial<OutputInfo> => ({
  RangeType: 'RangeWithColumnHeaders',
  CellUsages: columns.map(() => 'Text'),
  Formats: columns.map(() => 'General'),
  ColumnHeaderValues: [...columns],
  ...part,
});

const RUN: ActivityRun = {
  Id: 77,
  ActivityId: 1,
  ActivityVersion: 3,
  Fidelity: { Formulas: 2164, Different: 0, DifferentFeedingOutputs: 0, NotCompared: 0 },
  Name: 'Loan schedule',
  Description: '',
  Type: 'Workbook',
  Status: 'Succeeded',
  QueueTime: '2026-11-30T23:30:00.000Z',
  PickupTime: null,
  StartTime: '2026-11-30T23:30:01.000Z',
  EndTime: '2026-11-30T23:30:02.000Z',
  UserFullName: 'Ada Löwe',
  ChecklistRunId: null,
  ChecklistName: null,
  StepKey: null,
  RowKey: '',
  ParentRunId: null,
  ParentName: null,
  BatchFileName: null,
  CanPurge: false,
  CanCancel: false,
  CanRun: true,
  CanEdit: false,
  RetryOf: null,
  SourceRunId: null,
  Progress: null,
  StoredFileNames: [],
  StoredFiles: [],
  Inputs: [],
  Outputs: [],
  LogEntries: [],
  ActivityLinks: [],
  SuccessfulChildRuns: 0,
  FailedChildRuns: 0,
  RunningChildRuns: 0,
  MaxChildRunEndTime: null,
};

const INPUT_INFO: InputInfo = {
  ...info(),
  Specifications: ['Required'],
  Blanks: [false],
  Pickers: [],
  MaxSize: [null],
  AllowDefaultValue: false,
  Height: 1,
  Width: 1,
  ColsVariable: false,
  Display: 'Default',
  SampleFilePath: null,
  DefaultValue: null,
};

export const exampleInput = (Name: string, value: unknown, HasPresetValue = false): RunInput => ({
  ActivityParameterId: Name.length,
  ActivityRunId: RUN.Id,
  Name,
  Value: JSON.stringify(value),
  UseDefault: false,
  HasPresetValue,
  ArrayIndex: 0,
  FileId: null,
  FileName: null,
  ContentLength: null,
  ParameterInfo: INPUT_INFO,
});

/** A run that succeeded, without inputs and outputs. */
export const exampleRun = (more: Partial<ActivityRun> = {}): ActivityRun => ({ ...RUN, ...more });

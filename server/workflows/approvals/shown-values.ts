/** The values shown to the people who decide. They are copied when the approval begins and never change afterwards. */
import type { Knex } from 'knex';
import { inRows } from '#server/db/in-rows.ts';
import { findStoredFiles } from '#server/files/stored-files.ts';
import type { StepContext } from '#server/workflows/step-context.ts';
import { evaluateOne } from '#server/workflows/filled-values.ts';
import { expressionFailure } from '#server/workflows/step-expressions.ts';
import { enteredInfoOf, readOutput } from '#server/workflows/step-values.ts';
import { nameKey } from '#server/versions/version-catalog.ts';
import type { OutputInfo } from '#shared/contract/parameters.ts';
import type { ValueShape } from '#shared/rules/workflows/step-outputs.ts';
import type { ApprovalStep, ValueSource } from '#shared/rules/workflows/types.ts';

export interface ShownFile {
  FileId: string;
  FileName: string;
  ContentLength: number;
}

export interface ShownValue {
  Name: string;
  Info: OutputInfo;
  /** JSON text; null if there is no value, or if the value is files. */
  Value: string | null;
  Files: ShownFile[];
}

/** Reads the values of a step, or returns a message for people if a value is not available. */
export async function readShownValues(
  context: StepContext,
  step: ApprovalStep,
): Promise<{ values: ShownValue[] } | ShownFailure> {
  const values: ShownValue[] = [];
  for (const { Name, From } of step.Values) {
    if (From.Kind === 'Expression') {
      const result = await evaluateOne(context, From, 'cell');
      if ('problem' in result)
        return { issue: expressionFailure(`"${Name}"`, From, result.problem), status: 'LogicError' };
      values.push({ Name, Info: shapeOf(openShape(result.shape)), Value: result.json, Files: [] });
      continue;
    }
    const found = await readValue(context, From);
    if (!found) return { issue: `There is no longer a value for "${Name}"` };
    values.push({ ...found, Name });
  }
  return { values };
}

/** Why a value is not available, and the status that the step ends with. */
export interface ShownFailure {
  issue: string;
  status?: 'LogicError';
}

const openShape = (shape: ValueShape): ShapeOfOutput => ({
  ...shape,
  SqlNames: [],
  HeaderRows: 0,
  HeaderCols: 0,
  RowsVariable: false,
  RowHeaderValues: [],
  Formats: [shape.CellUsages[0] === 'Date' ? 'yyyy-mm-dd' : 'General'],
});

type Found = Omit<ShownValue, 'Name'>;

async function readValue(context: StepContext, From: ValueSource): Promise<Found | null> {
  if (From.Kind === 'Input') return readInput(context, From.Name);
  if (From.Kind !== 'Output') return null;
  const { database, versions, plan, workflowRun } = context;
  const { knex } = database;
  const source = await readOutput({ knex, versions, plan, workflowRunId: workflowRun.Id }, From);
  if (!source || source.issue !== undefined) return null;
  const { json, files } = source.value;
  return {
    Info: source.info,
    Value: json,
    Files: await withLengths(
      knex,
      files.map(({ FileId, FileName }) => ({ FileId, FileName })),
    ),
  };
}

interface EnteredRow {
  ChecklistInputName: string;
  ActivityParameterId: number;
  Value: string | null;
  UseDefault: boolean;
  FileId: string | null;
  FileName: string | null;
}

/** Reads a value that was entered at the start, described by the activity input that takes it. */
async function readInput(context: StepContext, name: string): Promise<Found | null> {
  const { database, workflowRun } = context;
  const { knex } = database;
  const row = await knex('ChecklistRuns').where('Id', workflowRun.Id).first<{ Inputs: string }>('Inputs');
  const rows = (JSON.parse(row.Inputs) as EnteredRow[]).filter(
    ({ ChecklistInputName }) => nameKey(ChecklistInputName) === nameKey(name),
  );
  const info = await enteredInfoOf(context.versions, context.plan, name);
  if (!info) return null;
  const single = rows.find(({ FileId }) => FileId === null);
  const files = rows.flatMap(({ FileId, FileName }) => (FileId === null ? [] : [{ FileId, FileName: FileName ?? '' }]));
  const Value = single?.UseDefault ? info.DefaultValue : (single?.Value ?? null);
  return { Info: shapeOf(info), Value: files.length > 0 ? null : Value, Files: await withLengths(knex, files) };
}

type ShapeOfOutput = Omit<OutputInfo, 'CalculateImmediately' | 'Plot'>;

const shapeOf = (info: ShapeOfOutput): OutputInfo => ({
  RangeType: info.RangeType,
  CellUsages: info.CellUsages,
  CalculateImmediately: false,
  SqlNames: info.SqlNames,
  HeaderRows: info.HeaderRows,
  HeaderCols: info.HeaderCols,
  RowsVariable: info.RowsVariable,
  ColumnHeaderValues: info.ColumnHeaderValues,
  RowHeaderValues: info.RowHeaderValues,
  Formats: info.Formats,
});

async function withLengths(knex: Knex, files: readonly Omit<ShownFile, 'ContentLength'>[]): Promise<ShownFile[]> {
  if (files.length === 0) return [];
  const stored = await findStoredFiles(
    knex,
    files.map(({ FileId }) => FileId),
  );
  const lengths = new Map(stored.map(({ FileId, ContentLength }) => [FileId, ContentLength]));
  return files.map((file) => ({ ...file, ContentLength: lengths.get(file.FileId) ?? 0 }));
}

export async function insertShownValues(
  trx: Knex.Transaction,
  ApprovalId: number,
  values: readonly ShownValue[],
): Promise<void> {
  const rows = values.map(({ Name, Info, Value }, Position) => ({
    ApprovalId,
    Position,
    Name,
    Info: JSON.stringify(Info),
    Value,
  }));
  await inRows(trx, rows, (part) => trx('ApprovalValues').insert(part));
  const files = values.flatMap(({ Files }, Position) =>
    Files.map((file, ArrayIndex) => ({ ApprovalId, Position, ArrayIndex, ...file })),
  );
  await inRows(trx, files, (part) => trx('ApprovalFiles').insert(part));
}

/** Calculates an activity's outputs for many rows of inputs. Nothing is stored but a line of the security log. */
import { Type, type Static } from 'typebox';
import { closed, Id, IdParams, needsOn, nullable, post, publicAccess } from './endpoint.ts';

/** The largest number of rows that the setting evaluateRows can allow. */
export const EVALUATE_ROWS_MAX = 1_000_000;

/** Media type of an answer in lines. */
export const NDJSON = 'application/x-ndjson';

export type EvaluateCell = number | string | boolean | null;

/** A cell; a column of cells or a list; rows of a table, in the order of its columns or by their headings. */
export type EvaluateValue = EvaluateCell | EvaluateCell[] | EvaluateCell[][] | Record<string, EvaluateCell>[];

const Value = Type.Unsafe<EvaluateValue>({
  description:
    'For an input of one cell: a column with a value per row, or one value for all rows. For a list or a table: its whole value, for all rows. Days are serial days or texts such as 2026-01-31.',
});
const Cell = Type.Unsafe<EvaluateCell>({ description: 'A number, a text, true, false, or null for a blank' });

export const EvaluateBody = closed({
  /** By name of the input. Omitted inputs have their preset or default value. */
  Inputs: Type.Optional(Type.Record(Type.String(), Value)),
  /**
   * The rows as objects, by name of the input, for inputs of one cell. `Inputs` then holds what is the same in all rows.
   */
  Rows: Type.Optional(Type.Array(Type.Record(Type.String(), Cell), { maxItems: EVALUATE_ROWS_MAX })),
  /** Names of the outputs to return; all except files if absent. */
  Outputs: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 1000 })),
  /** The newest version if absent. */
  Version: Type.Optional(Id),
});
export type EvaluateBody = Static<typeof EvaluateBody>;

/**
 * Why a row has no results. inputInvalid: a start would refuse a value. checkFailed: a check of the workbook failed.
 * notCalculated: the workbook cannot be calculated with these values.
 */
export const EVALUATE_ERROR_CODES = ['inputInvalid', 'checkFailed', 'notCalculated'] as const;

export const EvaluateError = closed({
  /** Counted from 0, as in the columns. */
  Row: Type.Integer(),
  Code: Type.Enum(EVALUATE_ERROR_CODES),
  /** Name of the input with the refused value; null if the error concerns none in particular. */
  Input: nullable(Type.String()),
  Message: Type.String(),
});
export type EvaluateError = Static<typeof EvaluateError>;

/** Outputs as columns by name, in the order of the rows. A refused row has null in each column. */
const Columns = Type.Record(Type.String(), Type.Array(Type.Unknown()));

export const EvaluateResult = closed({
  ActivityId: Id,
  /** The version that was calculated. */
  Version: Id,
  Rows: Type.Integer(),
  Outputs: Columns,
  Errors: Type.Array(EvaluateError),
});
export type EvaluateResult = Static<typeof EvaluateResult>;

/** A line of the answer to a caller that accepts application/x-ndjson. Without an End or a Failure, it is incomplete. */
export type EvaluateLine =
  | { Type: 'Start'; ActivityId: number; Version: number; Rows: number }
  | { Type: 'Rows'; FirstRow: number; Rows: number; Outputs: Record<string, unknown[]>; Errors: EvaluateError[] }
  | { Type: 'End'; Rows: number; Refused: number }
  | { Type: 'Failure'; Code: string; message: string };

const summary =
  'The outputs of an activity for many rows of inputs; nothing is stored. With the header "Accept: application/x-ndjson" the rows are sent as they are calculated, one JSON object a line';

export const evaluateActivity = post('/api/activities/:id/evaluate', {
  access: needsOn('sk.RunActivity'),
  summary,
  parts: { params: IdParams, body: EvaluateBody, result: EvaluateResult },
});

export const publicEvaluate = post('/api/public/activities/:id/evaluate', {
  access: publicAccess,
  summary: 'Calculate a public activity for rows of inputs, without storing anything',
  parts: { params: IdParams, body: EvaluateBody, result: EvaluateResult },
});

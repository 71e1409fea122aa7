/** What the calculation of expressions receives and returns. */
import type { ColumnKind } from '#shared/codecs/condition-columns.ts';
import type { ExpressionRead } from './expression-types.ts';
import type { ValueShape } from './step-outputs.ts';

/** A value that expressions read, as JSON text of the contract; null if there is none, which they read as #N/A. */
export interface ExpressionValue {
  shape: ValueShape;
  json: string | null;
  /** True for an entered value: its blank texts are blank cells, as in a run. */
  isEntered: boolean;
}

/** An expression to calculate, with what takes its result. */
export interface ExpressionToCalculate {
  formula: string;
  /** What its names stand for, in the order of the text: the value by its index, and the column. */
  reads: readonly { value: number; column: ExpressionRead['column'] }[];
  /**
   * The shape that the result must have. 'cell' is a single value of any type; 'rows' is a table whose columns are those
   * that the expression passes on.
   */
  wanted: ValueShape | 'cell' | 'rows';
}

export interface ExpressionTask {
  values: readonly ExpressionValue[];
  expressions: readonly ExpressionToCalculate[];
  /** What NOW returns: the local time as a serial day. */
  now: number;
  /** Maximum milliseconds for all of them. */
  timeLimit: number;
}

export type ExpressionResult =
  | {
      /** JSON text of the contract, in the wanted shape. */
      json: string;
      /** The shape of the result. */
      shape: ValueShape;
      /** Type of a single result. */
      kind: ColumnKind | null;
    }
  /** Why there is no result, for the author of the expression. */
  | { problem: string };

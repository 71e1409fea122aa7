/** The result of comparing a workbook with its saved values. */
import type { SheetBlock } from './graph/scope.ts';
import type { WorkbookRegion } from './reader/workbook-model.ts';

export interface FidelityReport {
  /** Number of formulas compared, without those of `notCompared`. An array formula counts once, whatever it fills. */
  formulas: number;
  equal: number;
  different: number;
  /** Number of formulas not compared; together with `formulas`, all formulas of the workbook. */
  notCompared: number;
  /** Number of these that an output depends on; all of them if no outputs were given. */
  notComparedFeedingOutputs: number;
  /** Most frequent first. */
  notComparedReasons: { reason: NotComparedReason; formulas: number }[];
  /** The first thousand, starting with those that outputs depend on. */
  notComparedCells: NotComparedCell[];
  /** The first thousand outputs that depend on a formula not compared, each with one such formula. */
  notComparedOutputs: NotComparedOutput[];
  /** Functions in use whose results a second calculation cannot repeat. */
  volatile: string[];
  cells: DifferentCell[];
  unsupported: UnsupportedUse[];
  /** The regional settings of the calculation: 'en-US', 'de-DE'. */
  region: string;
  /** The evidence for the region; null if the engine supports only one. */
  regionOrigin: WorkbookRegion | null;
  /**
   * The engine's message on circular references in a workbook without iterative calculation; null if there are none.
   */
  circular: string | null;
}

/**
 * Why a formula was not compared with its saved value:
 * - Volatile: it depends on the clock, on random numbers or on the machine (NOW, RAND, CELL)
 * - CircularReference: it depends on a circular reference without a defined value. Without iterative calculation
 *   Excel calculates none of these cells (it shows 0 or the previous value); with it, these are the cells that
 *   change at each calculation
 * - Unsupported: it calls a function that this engine lacks, and shows the saved value
 * - ExternalLink: it reads another workbook whose values are not in the file, and shows the saved value
 * - NoSavedValue: the file has no value for it
 * - LargeArray: it fills more cells than are compared, and the first of them are equal
 */
export type NotComparedReason =
  | 'Volatile'
  | 'CircularReference'
  | 'Unsupported'
  | 'ExternalLink'
  | 'NoSavedValue'
  | 'LargeArray';

export interface NotComparedCell {
  /** Name of the sheet. */
  sheet: string;
  /** For example 'B7'. */
  cell: string;
  formula: string;
  reason: NotComparedReason;
  /** The cell it depends on to which the reason applies, such as 'Sheet1!A1'; null if this is the cell itself. */
  dependsOn: string | null;
  feedsOutput: boolean;
}

export interface NotComparedOutput {
  output: string;
  /** The formula that was not compared. */
  sheet: string;
  cell: string;
  reason: NotComparedReason;
}

/** Cells that a run reads, such as those of an output. */
export interface OutputBlock extends SheetBlock {
  /** Display name; without it, a report does not name the output. */
  name?: string;
}

export interface DifferentCell {
  /** Name of the sheet. */
  sheet: string;
  /** For example 'B7'. */
  cell: string;
  formula: string;
  saved: ReportedValue;
  got: ReportedValue;
  reason: string;
  /** True if one of the given outputs depends on it. */
  feedsOutput: boolean;
}

/** Errors are represented by their code ('#N/A'). */
export type ReportedValue = string | number | boolean | null;

export interface UnsupportedUse {
  name: string;
  count: number;
  /** The first occurrence, such as 'Sheet1!B7'. */
  first: string;
  feedsOutput: boolean;
}

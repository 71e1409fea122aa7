/** What comparing a workbook with its saved values comes to. */
import type { SheetBlock } from './graph/scope.ts';
import type { WorkbookRegion } from './reader/workbook-model.ts';

export interface FidelityReport {
  /** Formulas compared; those of `notCompared` come on top. An array formula is one formula, whatever it fills. */
  formulas: number;
  equal: number;
  different: number;
  /** Formulas that were not compared: with `formulas`, all of the workbook. */
  notCompared: number;
  /** Of these, the ones that an output depends on; all of them where no outputs were given. */
  notComparedFeedingOutputs: number;
  /** Most frequent first. */
  notComparedReasons: { reason: NotComparedReason; formulas: number }[];
  /** The first thousand, those that outputs depend on first. */
  notComparedCells: NotComparedCell[];
  /** The first thousand outputs that depend on a formula that was not compared, each with one such formula. */
  notComparedOutputs: NotComparedOutput[];
  /** Functions in use whose result no second calculation can repeat. */
  volatile: string[];
  cells: DifferentCell[];
  unsupported: UnsupportedUse[];
  /** The regional settings calculated with: 'en-US', 'de-DE'. */
  region: string;
  /** What decides it; null where the engine knows no other. */
  regionOrigin: WorkbookRegion | null;
  /** What the engine says where formulas depend on themselves, in a workbook that does not iterate; null where none does. */
  circular: string | null;
}

/**
 * Why a formula has not been compared with the value saved for it:
 * - Volatile: it depends on the clock, on chance or on the machine (NOW, RAND, CELL)
 * - CircularReference: it depends on a circular reference that comes to no value of its own. Without iterative calculation Excel calculates none of
 *   these cells (it shows 0, or what was there before); with it, those that change at each calculation
 * - Unsupported: it calls a function that this engine lacks, and shows the saved value itself
 * - ExternalLink: it reads another workbook of whose values the file keeps none, and shows the saved value itself
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
  /** 'B7'. */
  cell: string;
  formula: string;
  reason: NotComparedReason;
  /** The cell it depends on that the reason is true of, 'Sheet1!A1'; null where that is itself. */
  dependsOn: string | null;
  feedsOutput: boolean;
}

export interface NotComparedOutput {
  output: string;
  /** Of the formula that was not compared. */
  sheet: string;
  cell: string;
  reason: NotComparedReason;
}

/** Cells that a run reads, such as those of an output. */
export interface OutputBlock extends SheetBlock {
  /** For people; without it, a report does not name the output. */
  name?: string;
}

export interface DifferentCell {
  /** Name of the sheet. */
  sheet: string;
  /** 'B7'. */
  cell: string;
  formula: string;
  saved: ReportedValue;
  got: ReportedValue;
  reason: string;
  /** Whether one of the outputs asked for depends on it. */
  feedsOutput: boolean;
}

/** Errors by their code ('#N/A'). */
export type ReportedValue = string | number | boolean | null;

export interface UnsupportedUse {
  name: string;
  count: number;
  /** The first place, as 'Sheet1!B7'. */
  first: string;
  feedsOutput: boolean;
}

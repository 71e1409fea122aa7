/**
 * Fidelity report: compares the recalculated values of a workbook with the values saved by Excel, and lists findings.
 */
import { Type, type Static } from 'typebox';
import { closed, get, Id, needsOn, nullable } from './endpoint.ts';
import { RegionSource } from './workbook-region.ts';

/**
 * A problem in an uploaded workbook that prevents it from becoming an activity. Sheet and Cell are '' if the problem
 * concerns the whole file.
 */
export const WorkbookProblem = closed({
  Sheet: Type.String(),
  Cell: Type.String(),
  Message: Type.String(),
  Remedy: Type.String(),
});
export type WorkbookProblem = Static<typeof WorkbookProblem>;

/**
 * A formula whose recalculated value differs from the value saved by Excel. Values are shown as Excel would show them
 * unformatted.
 */
export const FidelityDifference = closed({
  Sheet: Type.String(),
  Cell: Type.String(),
  Formula: Type.String(),
  Saved: Type.String(),
  Got: Type.String(),
  Reason: Type.String(),
  /** True if an output depends on the cell. */
  FeedsOutput: Type.Boolean(),
});
export type FidelityDifference = Static<typeof FidelityDifference>;

/**
 * Why a formula was not compared with the value saved by Excel:
 * - Volatile: it depends on the clock, on random numbers or on the machine (NOW, RAND, CELL), so recalculation cannot
 * reproduce it
 * - CircularReference: it depends on a circular reference that does not converge to a value
 * - Unsupported: it calls a function that the engine lacks, and therefore shows the saved value
 * - ExternalLink: it reads another workbook whose values the file does not cache, and therefore shows the saved value
 * - NoSavedValue: the file has no value for it, for example because a program other than Excel wrote it
 * - LargeArray: it fills more than 100,000 cells; those compared at the start of the array are equal
 */
export const NotComparedReason = Type.Union([
  Type.Literal('Volatile'),
  Type.Literal('CircularReference'),
  Type.Literal('Unsupported'),
  Type.Literal('ExternalLink'),
  Type.Literal('NoSavedValue'),
  Type.Literal('LargeArray'),
]);
export type NotComparedReason = Static<typeof NotComparedReason>;

export const NotComparedCell = closed({
  Sheet: Type.String(),
  Cell: Type.String(),
  Formula: Type.String(),
  Reason: NotComparedReason,
  /** The precedent cell that the reason applies to, such as 'Sheet1!A1'; null if it is this cell. */
  DependsOn: nullable(Type.String()),
  /** True if an output depends on the cell. */
  FeedsOutput: Type.Boolean(),
});
export type NotComparedCell = Static<typeof NotComparedCell>;

/** An output that depends on a formula that was not compared, with one such formula. */
export const NotComparedOutput = closed({
  Output: Type.String(),
  Sheet: Type.String(),
  Cell: Type.String(),
  Reason: NotComparedReason,
});
export type NotComparedOutput = Static<typeof NotComparedOutput>;

export const FidelityReport = closed({
  /** The engine that calculates the version, as text for users: 'LibreOffice 7.4'. */
  Engine: Type.String(),
  /** Regional settings of the calculation, such as 'de-DE'; absent for those of the United States. */
  Region: Type.Optional(Type.String()),
  /**
   * What determined the regional settings. Absent in older reports, and if the engine supports only those of the United
   * States.
   */
  RegionSource: Type.Optional(RegionSource),
  /** Number of formulas compared. An array formula counts once, whatever it fills. */
  Formulas: Type.Integer(),
  Equal: Type.Integer(),
  Different: Type.Integer(),
  /** How many of the different formulas an output depends on. */
  DifferentFeedingOutputs: Type.Integer(),
  /**
   * Number of formulas not compared; together with Formulas, this is all formulas of the workbook. This field and the
   * next four are absent in older reports.
   */
  NotCompared: Type.Optional(Type.Integer()),
  /** How many of these an output depends on; all of them if the workbook declares no outputs. */
  NotComparedFeedingOutputs: Type.Optional(Type.Integer()),
  /** Number of formulas not compared per reason, the most frequent reason first. */
  NotComparedReasons: Type.Optional(Type.Array(closed({ Reason: NotComparedReason, Formulas: Type.Integer() }))),
  /** At most 1,000 cells; those that feed an output come first. */
  NotComparedCells: Type.Optional(Type.Array(NotComparedCell)),
  /** At most 1,000; values read by checks and other steps count as outputs. */
  NotComparedOutputs: Type.Optional(Type.Array(NotComparedOutput)),
  /** Volatile functions in use (NOW, RAND, …). Formulas that depend on them are not compared. */
  Volatile: Type.Array(Type.String()),
  Unsupported: Type.Array(
    closed({ Name: Type.String(), Sheet: Type.String(), Cell: Type.String(), FeedsOutput: Type.Boolean() }),
  ),
  ExternalLinks: Type.Array(Type.String()),
  /** At most 1,000; those that feed an output come first. */
  Differences: Type.Array(FidelityDifference),
  /**
   * What the workbook requires but does not get, and what was guessed, each with how to state it explicitly. Absent if
   * there is nothing, and in older versions.
   */
  Findings: Type.Optional(Type.Array(WorkbookProblem)),
});
export type FidelityReport = Static<typeof FidelityReport>;

export const versionFidelity = get('/api/activities/fidelity/:id/:version', {
  access: needsOn('sk.RunActivity'),
  summary: 'Get the fidelity report of a version: recalculated values compared with those that Excel saved',
  parts: { params: closed({ id: Id, version: Type.Integer({ minimum: 1 }) }), result: FidelityReport },
});

/** How the recalculation of a workbook agrees with the values Excel saved in it, and what was found in it. */
import { Type, type Static } from 'typebox';
import { closed, get, Id, needsOn, nullable } from './endpoint.ts';
import { RegionSource } from './workbook-region.ts';

/** Something in an uploaded workbook that keeps it from being an activity. Sheet and Cell are '' where it concerns the whole file. */
export const WorkbookFault = closed({
  Sheet: Type.String(),
  Cell: Type.String(),
  Message: Type.String(),
  Remedy: Type.String(),
});
export type WorkbookFault = Static<typeof WorkbookFault>;

/** A formula whose recalculated value is not the one Excel saved. Values as Excel would show them unformatted. */
export const FidelityDifference = closed({
  Sheet: Type.String(),
  Cell: Type.String(),
  Formula: Type.String(),
  Saved: Type.String(),
  Got: Type.String(),
  Reason: Type.String(),
  /** Whether an output depends on the cell. */
  FeedsOutput: Type.Boolean(),
});
export type FidelityDifference = Static<typeof FidelityDifference>;

/**
 * Why a formula has not been compared with the value Excel saved for it:
 * - Volatile: it depends on the clock, on chance or on the machine (NOW, RAND, CELL), so that no second calculation repeats it
 * - CircularReference: it depends on a circular reference that comes to no value of its own
 * - Unsupported: it calls a function that the engine lacks, and shows the saved value itself
 * - ExternalLink: it reads another workbook of whose values the file keeps none, and shows the saved value itself
 * - NoSavedValue: the file has no value for it, as where another program than Excel wrote it
 * - LargeArray: it fills more than 100,000 cells, of which the first are equal
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
  /** The cell it depends on that the reason is true of, 'Sheet1!A1'; null where that is itself. */
  DependsOn: nullable(Type.String()),
  /** Whether an output depends on the cell. */
  FeedsOutput: Type.Boolean(),
});
export type NotComparedCell = Static<typeof NotComparedCell>;

/** An output that depends on a formula that was not compared, and one such formula. */
export const NotComparedOutput = closed({
  Output: Type.String(),
  Sheet: Type.String(),
  Cell: Type.String(),
  Reason: NotComparedReason,
});
export type NotComparedOutput = Static<typeof NotComparedOutput>;

export const FidelityReport = closed({
  /** The engine that calculates the version, in words: 'LibreOffice 7.4'. */
  Engine: Type.String(),
  /** The regional settings it is calculated with, 'de-DE'; absent where they are those of the United States. */
  Region: Type.Optional(Type.String()),
  /** What decides them; absent in older reports, and where the engine knows no other than those of the United States. */
  RegionSource: Type.Optional(RegionSource),
  /** Formulas compared. An array formula is one formula, whatever it fills. */
  Formulas: Type.Integer(),
  Equal: Type.Integer(),
  Different: Type.Integer(),
  /** Of the different ones, those an output depends on. */
  DifferentFeedingOutputs: Type.Integer(),
  /** Formulas that were not compared; with Formulas, all of the workbook. This and the next four are absent in reports made before they were counted. */
  NotCompared: Type.Optional(Type.Integer()),
  /** Of these, the ones that an output depends on; all of them where the workbook names no outputs. */
  NotComparedFeedingOutputs: Type.Optional(Type.Integer()),
  /** How many formulas were not compared for each reason, the most frequent first. */
  NotComparedReasons: Type.Optional(Type.Array(closed({ Reason: NotComparedReason, Formulas: Type.Integer() }))),
  /** At most the first thousand, those that feed an output first. */
  NotComparedCells: Type.Optional(Type.Array(NotComparedCell)),
  /** At most the first thousand; what checks and other steps read counts as an output. */
  NotComparedOutputs: Type.Optional(Type.Array(NotComparedOutput)),
  /** Volatile functions in use (NOW, RAND, …); formulas that depend on them are not compared. */
  Volatile: Type.Array(Type.String()),
  Unsupported: Type.Array(
    closed({ Name: Type.String(), Sheet: Type.String(), Cell: Type.String(), FeedsOutput: Type.Boolean() }),
  ),
  ExternalLinks: Type.Array(Type.String()),
  /** At most the first thousand, those that feed an output first. */
  Differences: Type.Array(FidelityDifference),
  /** What the workbook asks for and does not get, and what was guessed of it, each with how to say it; absent where there is nothing, and in older versions. */
  Findings: Type.Optional(Type.Array(WorkbookFault)),
});
export type FidelityReport = Static<typeof FidelityReport>;

export const versionFidelity = get('/api/activities/fidelity/:id/:version', {
  access: needsOn('sk.RunActivity'),
  summary: 'How the recalculation of a version agrees with the values Excel saved in it',
  parts: { params: closed({ id: Id, version: Type.Integer({ minimum: 1 }) }), result: FidelityReport },
});

/** Inputs and outputs that the portal proposes for an unprepared workbook. */
import { Type, type Static } from 'typebox';
import { closed } from './endpoint.ts';

/**
 * Why cells are proposed. Screens show the reason in the user's language, the command line in English.
 * Inputs:
 * - validation: a data validation restricts what can be entered
 * - unlocked: the sheet is protected and the cell is not
 * - inputStyle: it has the style Input or Note, or is formatted like the other cells to fill in in this workbook
 * - readByFormulas: formulas read the typed-in value
 * - labelled: a label names it, though no formula reads it
 * - tableColumns: typed-in columns of an Excel table
 * - columnsWithFormulas: typed-in columns under headers, next to formulas
 * - columnsRead: typed-in cells that formulas read
 * Outputs:
 * - outputStyle: it has the style Output, Calculation or Total
 * - resultWord: its label names a result, such as a total
 * - notRead: no other formula reads it
 * - inChart: a chart shows it
 * - calculated, calculatedCells: one formula, or cells with one formula
 */
export const ProposalReasonCode = Type.Union([
  Type.Literal('validation'),
  Type.Literal('unlocked'),
  Type.Literal('inputStyle'),
  Type.Literal('readByFormulas'),
  Type.Literal('labelled'),
  Type.Literal('tableColumns'),
  Type.Literal('columnsWithFormulas'),
  Type.Literal('columnsRead'),
  Type.Literal('outputStyle'),
  Type.Literal('resultWord'),
  Type.Literal('notRead'),
  Type.Literal('inChart'),
  Type.Literal('calculated'),
  Type.Literal('calculatedCells'),
]);
export type ProposalReasonCode = Static<typeof ProposalReasonCode>;

export const ProposalReason = closed({
  code: ProposalReasonCode,
  /** Number of formulas that read the cells; absent if none do. */
  readers: Type.Optional(Type.Integer({ minimum: 1 })),
  /** The text that labels the cells, and its position relative to them. */
  label: Type.Optional(Type.String()),
  labelAt: Type.Optional(
    Type.Union([Type.Literal('left'), Type.Literal('above'), Type.Literal('right'), Type.Literal('diagonal')]),
  ),
  /** Name of the Excel table. */
  table: Type.Optional(Type.String()),
});
export type ProposalReason = Static<typeof ProposalReason>;

export const ProposalRole = Type.Union([Type.Literal('input'), Type.Literal('output')]);
export type ProposalRole = Static<typeof ProposalRole>;

export const ProposalShape = Type.Union([
  Type.Literal('value'),
  Type.Literal('list'),
  Type.Literal('table'),
  Type.Literal('matrix'),
]);
export type ProposalShape = Static<typeof ProposalShape>;

export const ProposalKind = Type.Union([
  Type.Literal('Text'),
  Type.Literal('Number'),
  Type.Literal('Date'),
  Type.Literal('Boolean'),
]);
export type ProposalKind = Static<typeof ProposalKind>;

export const Proposal = closed({
  sheet: Type.String(),
  /** 'B4' or 'A10:D14', without the headers. */
  range: Type.String(),
  role: ProposalRole,
  shape: ProposalShape,
  /** True if a row of headers stands directly above the cells. */
  hasHeaders: Type.Boolean(),
  /** Unique among the proposals of its role; valid as a defined name after the prefix 'in_' or 'out_'. */
  name: Type.String(),
  unit: Type.Optional(Type.String()),
  section: Type.Optional(Type.String()),
  kind: Type.Optional(ProposalKind),
  /** True if it is likely enough to be marked unless the author objects. */
  preselected: Type.Boolean(),
  /** 0 to 1. */
  score: Type.Number({ minimum: 0, maximum: 1 }),
  reason: ProposalReason,
});
export type Proposal = Static<typeof Proposal>;

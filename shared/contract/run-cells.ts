/** A cell of the workbook as calculated by a run, to show a cell that the run's log refers to. */
import { Type, type Static } from 'typebox';
import { closed, needsOn, nullable, post, RunIdParams } from './endpoint.ts';

const CellLocationFields = {
  Sheet: Type.String({ minLength: 1, maxLength: 31 }),
  /** Without '$'. */
  Cell: Type.String({ pattern: '^[A-Z]{1,3}[1-9][0-9]{0,6}$' }),
};

export const CellLocation = closed(CellLocationFields);
export type CellLocation = Static<typeof CellLocation>;

export const ShownCell = closed({
  /** As Excel shows it, with '='; null for constants and empty cells. */
  Formula: nullable(Type.String()),
  /** The value as text, '' for an empty cell. Null if the file calculated by the run no longer exists. */
  Value: nullable(Type.String()),
  /** The first 20 ranges that the formula reads. */
  Reads: Type.Array(closed({ Sheet: Type.String(), Cells: Type.String(), Value: nullable(Type.String()) })),
});
export type ShownCell = Static<typeof ShownCell>;

export const showCell = post('/api/activities/status/:id/cell', {
  access: needsOn('sk.RunActivity'),
  summary: 'Get a cell of the workbook as a run calculated it: its formula, its value, and the cells that it reads',
  parts: { params: RunIdParams, body: CellLocation, result: ShownCell },
});

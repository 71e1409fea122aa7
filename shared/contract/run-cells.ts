/** A cell of the workbook as a run left it: what a line of its log names. */
import { Type, type Static } from 'typebox';
import { closed, needsOn, nullable, post, RunIdParams } from './endpoint.ts';

const Place = {
  Sheet: Type.String({ minLength: 1, maxLength: 31 }),
  /** Without '$'. */
  Cell: Type.String({ pattern: '^[A-Z]{1,3}[1-9][0-9]{0,6}$' }),
};

export const CellPlace = closed(Place);
export type CellPlace = Static<typeof CellPlace>;

export const ShownCell = closed({
  /** As Excel shows it, with '='; null for a constant or nothing. */
  Formula: nullable(Type.String()),
  /** The value as text, '' for none; null where the file that the run calculated is gone. */
  Value: nullable(Type.String()),
  /** What the formula reads, the first 20. */
  Reads: Type.Array(closed({ Sheet: Type.String(), Cells: Type.String(), Value: nullable(Type.String()) })),
});
export type ShownCell = Static<typeof ShownCell>;

export const showCell = post('/api/activities/status/:id/cell', {
  access: needsOn('sk.RunActivity'),
  summary: 'A cell of the workbook as a run calculated it: its formula, its value, and what it reads',
  parts: { params: RunIdParams, body: CellPlace, result: ShownCell },
});

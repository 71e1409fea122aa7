/**
 * Cells of an input grid whose texts are ambiguous in the user's region, grouped by column: one answer applies to the
 * whole column.
 */
import { isAsked, readCellText, type CellKind } from '#shared/codecs/cell-text.ts';
import { textChoices, type TextChoice } from '#shared/codecs/readings.ts';
import { mapCells, type GridRows, type GridShape } from './grid-rows.ts';

export interface AmbiguousColumn {
  col: number;
  /** The row of the first ambiguous text. */
  row: number;
  text: string;
  kind: CellKind;
  choices: readonly TextChoice[];
  count: number;
}

export function ambiguousColumns(rows: GridRows, shape: GridShape): AmbiguousColumn[] {
  const found: AmbiguousColumn[] = [];
  for (let col = 0; col < shape.width; col += 1) {
    const asked = rows.flatMap((cells, row) => (isAsked(cells[col] ?? null) ? [row] : []));
    const row = asked.find((at) => choicesAt(rows, at, col, shape) !== null);
    if (row === undefined) continue;
    const text = rows[row]![col] as string;
    const choices = choicesAt(rows, row, col, shape)!;
    found.push({ col, row, text, kind: shape.kind(row, col), choices, count: asked.length });
  }
  return found;
}

const choicesAt = (rows: GridRows, row: number, col: number, shape: GridShape): TextChoice[] | null =>
  textChoices(rows[row]![col] as string, shape.kind(row, col));

/** Reads all ambiguous texts of a column as the region would. Texts that the region cannot read stay unchanged. */
export function answerColumn(rows: GridRows, col: number, region: TextChoice['region'], shape: GridShape): GridRows {
  const lines = rows.flatMap((cells, row) => (isAsked(cells[col] ?? null) ? [row] : []));
  return mapCells(rows, lines, { left: col, right: col }, shape, (row) => {
    const { cell } = readCellText(rows[row]![col] as string, { ...shape.kind(row, col), region, canAsk: false });
    return typeof cell === 'number' ? cell : undefined;
  }).rows;
}

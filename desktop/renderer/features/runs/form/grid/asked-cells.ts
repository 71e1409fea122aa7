/** Cells of an input grid whose texts the region of the person does not decide, by their columns: one answer counts for a column. */
import { isAsked, readCellText, type CellKind } from '#shared/codecs/cell-text.ts';
import { textChoices, type TextChoice } from '#shared/codecs/readings.ts';
import { mapCells, type GridRows, type GridShape } from '../grid-rows.ts';

export interface AskedColumn {
  col: number;
  /** The first of its texts that are asked about. */
  row: number;
  text: string;
  kind: CellKind;
  choices: readonly TextChoice[];
  count: number;
}

export function askedColumns(rows: GridRows, shape: GridShape): AskedColumn[] {
  const found: AskedColumn[] = [];
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

/** All texts of a column that are asked about, read as people of the region read them; what they cannot read stays. */
export function answerColumn(rows: GridRows, col: number, region: TextChoice['region'], shape: GridShape): GridRows {
  const lines = rows.flatMap((cells, row) => (isAsked(cells[col] ?? null) ? [row] : []));
  return mapCells(rows, lines, { left: col, right: col }, shape, (row) => {
    const { cell } = readCellText(rows[row]![col] as string, { ...shape.kind(row, col), region, canAsk: false });
    return typeof cell === 'number' ? cell : undefined;
  }).rows;
}

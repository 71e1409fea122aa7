/** Reads definitions from workbooks that tests build. */
import { expect } from 'vitest';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import type { ActivityDefinition, InputDefinition, OutputDefinition } from '#server/executors/activity-definition.ts';
import type { DefinitionResult } from '#server/executors/workbook/definitions/read-definition.ts';
import { createOwnCalculation } from '#server/executors/workbook/own-calculation.ts';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import { readDefinition } from '#server/executors/workbook/definitions/read-definition.ts';
import { openPackage } from '#server/executors/workbook/package.ts';
import { columnLetters } from '#shared/codecs/cell-address.ts';
import type { CellSpec, SheetSpec, TableSpec, WorkbookSpec } from './build-workbook.ts';
import { buildWorkbook } from './build-workbook.ts';

export async function read(spec: WorkbookSpec): Promise<DefinitionResult> {
  const model = readWorkbook(await openPackage(await buildWorkbook(spec)));
  return readDefinition(model, undefined, createOwnCalculation(model, createRunsheetEngine()).calculated);
}

export async function defined(spec: WorkbookSpec): Promise<ActivityDefinition> {
  const { definition, problems } = await read(spec);
  expect(problems).toEqual([]);
  return definition!;
}

/** Returns the only input, which starts at S!A1 and is declared by the name in_X for `ref`. */
export async function input(
  ref: string,
  sheet: Partial<SheetSpec>,
  more: Partial<WorkbookSpec> = {},
): Promise<InputDefinition> {
  const { inputs } = await defined({ sheets: [{ name: 'S', ...sheet }], names: { in_X: ref }, ...more });
  expect(inputs).toHaveLength(1);
  return inputs[0]!;
}

export async function output(
  ref: string,
  sheet: Partial<SheetSpec>,
  more: Partial<WorkbookSpec> = {},
): Promise<OutputDefinition> {
  const { outputs } = await defined({ sheets: [{ name: 'S', ...sheet }], names: { out_X: ref }, ...more });
  return outputs[0]!;
}

/** A sheet Portal with one table, given as rows of texts below its columns. */
export function portal(
  name: string,
  rows: CellSpec[][],
  top = 1,
): { cells: Record<string, CellSpec>; tables: TableSpec[] } {
  const cells: Record<string, CellSpec> = {};
  for (const [y, row] of rows.entries()) {
    for (const [x, cell] of row.entries()) if (cell !== null) cells[`${columnLetters(x)}${top + y}`] = cell;
  }
  const last = columnLetters(rows[0]!.length - 1);
  return { cells, tables: [{ name, ref: `A${top}:${last}${top + rows.length - 1}`, columns: rows[0] as string[] }] };
}

export const withPortal = (
  sheet: Partial<SheetSpec>,
  name: string,
  rows: CellSpec[][],
  names: WorkbookSpec['names'] = {},
): WorkbookSpec => ({
  sheets: [
    { name: 'S', ...sheet },
    { name: 'Portal', ...portal(name, rows) },
  ],
  names,
});

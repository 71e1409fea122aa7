/** Finds the tables that steps fill or read, as the Portal sheet names them. */
import type { TableModel } from '#server/calculation/reader/workbook-model.ts';
import { sameBlock, tableBody } from './blocks.ts';
import type { StepScope } from './step-scope.ts';
import { findTable } from './table-references.ts';

/** Returns the table of a step. If there is none, reports the problem and returns undefined. */
export function tableOf({ model, options, reader }: StepScope): TableModel | undefined {
  const { Table } = options;
  if (Table === undefined) return undefined;
  const table = findTable(model, Table);
  if (!table)
    reader.addProblem(
      'Table',
      `There is no Excel table '${Table}'.`,
      'Enter the name of an Excel table of this workbook.',
    );
  return table;
}

/** Reports a table that both a step and an input fill. */
export function checkTarget({ reader, inputs, action }: StepScope, table: TableModel): void {
  const body = tableBody(table);
  const filler = inputs.find(({ area }) => area.sheet === table.sheet && sameBlock(area.block, body));
  if (!filler) return;
  const what = action === 'Import' ? 'an import' : 'a query';
  reader.addProblem(
    'Table',
    `The table ${table.name} is filled by the input '${filler.name}' and by ${what}.`,
    `Use a separate table for the ${action === 'Import' ? 'import' : 'query'}.`,
  );
}

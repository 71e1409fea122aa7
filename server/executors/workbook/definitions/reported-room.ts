/** Reports how many rows an input table takes, and what to do if that is fewer than its sheet has. */
import type { TableModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { StepDefinition } from '#server/executors/activity-definition.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import type { InputInfo } from '#shared/contract/parameters.ts';
import type { GrowthSpace } from '../room/growth-space.ts';
import type { ProblemList } from './problems.ts';
import { problem } from './problems.ts';
import type { Draft } from './parameters.ts';
import { findTable } from './table-references.ts';

export function addRoom(
  info: InputInfo,
  { name, location: place }: Draft,
  { rows, end, reason }: GrowthSpace,
  findings: ProblemList,
): void {
  Object.assign(info, { MaxRows: rows, RowsEnd: end });
  if (reason === null) return;
  findings.add(
    place,
    problem(
      rows === 1
        ? `The input '${name}' takes at most 1 row: ${end} is in the way and cannot be moved down, because ${reason}.`
        : `The input '${name}' takes at most ${rows} rows: ${end} is in the way and cannot be moved down, because ${reason}.`,
      HOW_TO_FIX,
    ),
  );
}

/** Reports the same for tables that steps fill. */
export function reportStepRooms(
  model: WorkbookModel,
  steps: readonly StepDefinition[],
  roomOf: (table: TableModel) => GrowthSpace,
  findings: ProblemList,
): void {
  const filled = steps.flatMap(({ Action, options }) =>
    Action === 'Import' || Action === 'Query' ? (findTable(model, options['Table'] ?? '') ?? []) : [],
  );
  for (const table of new Set(filled)) {
    const { rows, end, reason } = roomOf(table);
    if (reason === null) continue;
    const { top, left } = table.block;
    findings.add(
      { sheet: model.sheets[table.sheet]!.name, cell: formatCell(top, left) },
      problem(
        rows === 1
          ? `The table '${table.name}', which a step fills, takes at most 1 row: ${end} is in the way and cannot be moved down, because ${reason}.`
          : `The table '${table.name}', which a step fills, takes at most ${rows} rows: ${end} is in the way and cannot be moved down, because ${reason}.`,
        HOW_TO_FIX,
      ),
    );
  }
}

const HOW_TO_FIX = 'Move the content below the table to another place or sheet, so that the table can hold more rows.';

import { useMemo } from 'react';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { Card } from '#renderer/ui/Page.tsx';
import type { CellDifference, ComparedValue } from './compare-runs.ts';

interface ComparedCellsProps {
  value: ComparedValue;
  runs: readonly ActivityRun[];
}

/** The cells in which tables differ. */
export function ComparedCells({ value, runs }: ComparedCellsProps) {
  const columns = useMemo(
    (): GridColumn<CellDifference>[] => [
      { key: 'row', title: 'Row', text: ({ row }) => row },
      { key: 'column', title: 'Column', text: ({ column }) => column },
      ...runs.map((run, at): GridColumn<CellDifference> => ({
        key: `run${run.Id}`,
        title: `Run ${run.Id}`,
        text: (cell) => cell.texts[at]!,
      })),
    ],
    [runs],
  );
  const { cells, name } = value;
  return (
    <Card title={`${name}: ${cells.length === 1 ? '1 cell differs' : `${cells.length} cells differ`}`}>
      <DataGrid label={`Differences of ${name}`} rows={cells} columns={columns} empty="" filterable />
    </Card>
  );
}

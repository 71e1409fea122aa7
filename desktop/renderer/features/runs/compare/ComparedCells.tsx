import { useMemo } from 'react';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { Card } from '#renderer/ui/Page.tsx';
import type { CellDifference, ComparedValue } from './compare-runs.ts';

interface ComparedCellsProps {
  value: ComparedValue;
  left: ActivityRun;
  right: ActivityRun;
}

/** The cells in which two tables differ. */
export function ComparedCells({ value, left, right }: ComparedCellsProps) {
  const columns = useMemo(
    (): GridColumn<CellDifference>[] => [
      { key: 'row', title: 'Row', text: ({ row }) => row },
      { key: 'column', title: 'Column', text: ({ column }) => column },
      { key: 'left', title: formatDayTime(left.QueueTime, true), text: (cell) => cell.left },
      { key: 'right', title: formatDayTime(right.QueueTime, true), text: (cell) => cell.right },
    ],
    [left.QueueTime, right.QueueTime],
  );
  const { cells, name } = value;
  return (
    <Card title={`${name}: ${cells.length === 1 ? '1 cell differs' : `${cells.length} cells differ`}`}>
      <DataGrid label={`Differences of ${name}`} rows={cells} columns={columns} empty="" filterable />
    </Card>
  );
}

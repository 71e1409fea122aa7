import { useMemo } from 'react';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { t } from '#renderer/language/translate.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { Card } from '#renderer/ui/Page.tsx';
import type { CellDifference, ComparedValue } from './compare-runs.ts';

interface ComparedCellsProps {
  value: ComparedValue;
  runs: readonly ActivityRun[];
}

/** Lists the cells in which tables differ. */
export function ComparedCells({ value, runs }: ComparedCellsProps) {
  const columns = useMemo(
    (): GridColumn<CellDifference>[] => [
      { key: 'row', title: t('Row'), text: ({ row }) => row },
      { key: 'column', title: t('Column'), text: ({ column }) => column },
      ...runs.map((run, at): GridColumn<CellDifference> => ({
        key: `run${run.Id}`,
        title: t('Run {id}', { id: run.Id }),
        text: (cell) => cell.texts[at]!,
      })),
    ],
    [runs],
  );
  const { cells, name } = value;
  return (
    <Card
      title={`${name}: ${t('{cellsCount, plural, one {1 cell differs} other {# cells differ}}', { cellsCount: cells.length })}`}
    >
      <DataGrid label={t('Differences of {name}', { name })} rows={cells} columns={columns} empty="" filterable />
    </Card>
  );
}

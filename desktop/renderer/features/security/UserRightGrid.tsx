import { Button } from '@blueprintjs/core';
import { Download } from '@blueprintjs/icons';
import { useCallback, useMemo, useRef, useState } from 'react';
import { downloadUserRights, type UserRight } from '#shared/contract/security.ts';
import { call } from '#renderer/api/client.ts';
import { downloadByToken } from '#renderer/api/download.ts';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { impliedText, sourceText } from '#renderer/features/rights/scope.ts';
import { t } from '#renderer/language/translate.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { DetailsDialog } from './DetailsDialog.tsx';
import { accessColumn, rightColumns, rightText, scopeColumn } from './matrix-columns.tsx';
import { userRows, type MatrixRow } from './matrix-rows.ts';

const COLUMNS: GridColumn<MatrixRow<UserRight>>[] = [
  { key: 'UserFullName', title: t('User Full Name'), text: (row) => row.head.UserFullName, givesWayTo: 150 },
  { key: 'UserName', title: t('User Name'), text: (row) => row.head.UserName, givesWayTo: 150 },
  ...rightColumns<UserRight>(),
];
const DETAILS: GridColumn<UserRight>[] = [
  scopeColumn(),
  { key: 'Source', title: t('Source'), text: (right) => sourceText(right.Source) },
  accessColumn(),
  { key: 'ImpliedBy', title: t('Implied By'), text: (right) => rightText(impliedText(right.ImpliedBy)) },
];
const NOTHING_TOUCHED = [] as const;

/**
 * Lists the rights of users. Clicking a row opens the statements that it consists of. The download contains the
 * filtered rows.
 */
export function UserRightGrid({ rights }: { rights: readonly UserRight[] }) {
  const rows = useMemo(() => userRows(rights), [rights]);
  const [opened, setOpened] = useState<MatrixRow<UserRight> | null>(null);
  const shown = useRef<number[]>([]);
  const { isBusy, change } = useChange(NOTHING_TOUCHED);
  const rememberShown = useCallback((indices: number[]) => void (shown.current = indices), []);
  const download = (): Promise<boolean> =>
    change(async () => {
      const body = shown.current.map((index) => downloadRow(rows[index]!));
      downloadByToken(await call(downloadUserRights, { body }));
    });
  return (
    <>
      <div className="rs-bar">
        <Button
          icon={<Download />}
          text={t('Download')}
          aria-label={t('Download the user security matrix')}
          loading={isBusy}
          onClick={() => void download()}
        />
      </div>
      <DataGrid
        label={t('User Security Matrix')}
        rows={rows}
        columns={COLUMNS}
        empty={t('No records found')}
        filterable
        maxColumnWidth={300}
        onRowClick={setOpened}
        onShownRows={rememberShown}
      />
      <DetailsDialog
        title={t('Security Matrix Details')}
        about={[
          [t('User Name'), opened?.head.UserName ?? ''],
          [t('Right Name'), rightText(opened?.head.RightName ?? '')],
        ]}
        details={opened?.details ?? null}
        columns={DETAILS}
        onClose={() => setOpened(null)}
      />
    </>
  );
}

function downloadRow({ head, Access, details }: MatrixRow<UserRight>) {
  const { UserId, UserName, UserFullName, RightName, KeyColumnName, KeyColumnValue } = head;
  const Souce = [...new Set(details.map(({ Source, ImpliedBy }) => Source || ImpliedBy))].join(', ').slice(0, 400);
  return { UserId, UserName, UserFullName, Souce, RightName, KeyColumnName, KeyColumnValue, Access };
}

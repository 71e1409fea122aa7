import { Button } from '@blueprintjs/core';
import { Download } from '@blueprintjs/icons';
import { downloadInternetRights, type InternetRight } from '#shared/contract/security.ts';
import { call } from '#renderer/api/client.ts';
import { downloadByToken } from '#renderer/api/download.ts';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { t } from '#renderer/language/translate.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { accessColumn, rightColumn, scopeColumn } from './matrix-columns.tsx';

const COLUMNS: GridColumn<InternetRight>[] = [rightColumn((right) => right.RightName), scopeColumn(), accessColumn()];
const NOTHING_TOUCHED = [] as const;

/** Lists the rights of the internet, that is, of visitors. */
export function InternetRightGrid({ rights }: { rights: readonly InternetRight[] }) {
  const { isBusy, change } = useChange(NOTHING_TOUCHED);
  const download = (): Promise<boolean> =>
    change(async () => {
      const body = rights.map(({ RightName, KeyColumnName, KeyColumnValue, Access }) => ({
        RightName,
        KeyColumnName,
        KeyColumnValue,
        Access,
      }));
      downloadByToken(await call(downloadInternetRights, { body }));
    });
  return (
    <>
      <div className="rs-bar">
        <Button
          icon={<Download />}
          text={t('Download')}
          aria-label={t('Download the internet security matrix')}
          loading={isBusy}
          disabled={rights.length === 0}
          onClick={() => void download()}
        />
      </div>
      <DataGrid
        label={t('Internet Security Matrix')}
        rows={rights}
        columns={COLUMNS}
        empty={t('No records found')}
        filterable={rights.length > 10}
      />
    </>
  );
}

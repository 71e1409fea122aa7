import { useMemo, useState } from 'react';
import type { RoleRight } from '#shared/contract/security.ts';
import { impliedText } from '#renderer/features/rights/scope.ts';
import { t } from '#renderer/language/translate.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { DetailsDialog } from './DetailsDialog.tsx';
import { accessColumn, rightColumns, rightText, scopeColumn } from './matrix-columns.tsx';
import { roleRows, type MatrixRow } from './matrix-rows.ts';

const ROLE: GridColumn<MatrixRow<RoleRight>> = {
  key: 'RoleName',
  title: t('Role Name'),
  text: (row) => row.head.Source,
};
const ONE_ROLE = rightColumns<RoleRight>();
const ALL_ROLES = [ROLE, ...ONE_ROLE];
const DETAILS: GridColumn<RoleRight>[] = [
  scopeColumn(),
  accessColumn(),
  { key: 'ImpliedBy', title: t('Implied By'), text: (right) => rightText(impliedText(right.ImpliedBy)) },
];

interface RoleRightGridProps {
  label: string;
  rights: readonly RoleRight[];
  /** True to omit the column of the role. */
  isOneRole?: boolean;
}

/** Lists the rights of roles. Clicking a row opens the statements that it consists of. */
export function RoleRightGrid({ label, rights, isOneRole = false }: RoleRightGridProps) {
  const rows = useMemo(() => roleRows(rights), [rights]);
  const [opened, setOpened] = useState<MatrixRow<RoleRight> | null>(null);
  return (
    <>
      <DataGrid
        label={label}
        rows={rows}
        columns={isOneRole ? ONE_ROLE : ALL_ROLES}
        empty={t('No records found')}
        filterable={rows.length > 10}
        onRowClick={setOpened}
      />
      <DetailsDialog
        title={t('Role Rights Details')}
        about={[
          [t('Role Name'), opened?.head.Source ?? ''],
          [t('Right Name'), rightText(opened?.head.RightName ?? '')],
        ]}
        details={opened?.details ?? null}
        columns={DETAILS}
        onClose={() => setOpened(null)}
      />
    </>
  );
}

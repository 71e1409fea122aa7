import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { specificRights, type SpecificRight } from '#shared/contract/right-grants.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { AccessMark, accessText } from './AccessMark.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { assignPath } from './right-paths.ts';

const DATA_COLUMNS: GridColumn<SpecificRight>[] = [
  { key: 'DisplayColumnValue', title: t('Name'), text: (right) => right.DisplayColumnValue },
  {
    key: 'RoleCount',
    title: t('Roles'),
    width: 80,
    align: 'right',
    text: (right) => numberText(right.RoleCount),
    sortValue: (right) => right.RoleCount,
  },
  {
    key: 'UserCount',
    title: t('Users'),
    width: 80,
    align: 'right',
    text: (right) => numberText(right.UserCount),
    sortValue: (right) => right.UserCount,
  },
  {
    key: 'InternetAccess',
    title: t('Internet'),
    width: 110,
    text: (right) => accessText(right.InternetAccess),
    render: (right) => <AccessMark access={right.InternetAccess} />,
  },
];

/** /rights/refine/{rightName}/{keyColumnName}/ */
export function RefineRightPage() {
  const { rightName: name = '', keyColumnName: keyColumn = '' } = useParams();
  const query = useQuery(queryOf(specificRights, { params: { name, keyColumn } }));
  const navigate = useNavigate();
  const pathOf = useCallback(
    ({ KeyColumnValue }: SpecificRight) => assignPath({ name, keyColumn, value: KeyColumnValue }),
    [name, keyColumn],
  );
  const columns = useMemo(
    (): GridColumn<SpecificRight>[] => [
      { key: 'KeyColumnValue', title: t('Value'), text: (right) => right.KeyColumnValue, to: pathOf },
      ...DATA_COLUMNS,
    ],
    [pathOf],
  );
  return (
    <Page
      title={t('Refine {name} by {keyColumn}', { name, keyColumn })}
      description={t('A setting for a single value takes precedence over the setting for all values.')}
    >
      <QueryStates query={query}>
        {({ Items }) => (
          <DataGrid
            label={t('{name} by {keyColumn}', { name, keyColumn })}
            rows={Items}
            columns={columns}
            empty={t('No records found')}
            filterable={Items.length > 10}
            maxRows={16}
            onRowClick={(right) => void navigate(pathOf(right))}
          />
        )}
      </QueryStates>
    </Page>
  );
}

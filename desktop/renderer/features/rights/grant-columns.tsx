import type { AccessValue, GrantChange } from '#shared/contract/right-grants.ts';
import { AccessMark, accessText } from './AccessMark.tsx';
import { whyText } from './scope.ts';
import { t } from '#renderer/language/translate.ts';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { GrantButtons } from './GrantButtons.tsx';

interface Grant {
  OverallAccess: AccessValue;
  ExplicitAccess: AccessValue;
  Source: string;
  ImpliedBy: string;
}

interface Changing<Row> {
  holderOf: (row: Row) => string;
  isBusy: boolean;
  onChange: (row: Row, change: GrantChange) => void;
}

/** Columns for users and roles: overall access and why, explicit access, and the buttons that change it. */
export function grantColumns<Row extends Grant>({ holderOf, isBusy, onChange }: Changing<Row>): GridColumn<Row>[] {
  return [
    {
      key: 'OverallAccess',
      title: t('Access'),
      width: 110,
      text: (row) => accessText(row.OverallAccess),
      render: (row) => <AccessMark access={row.OverallAccess} />,
    },
    { key: 'Why', title: t('Why'), width: 180, text: whyText },
    {
      key: 'ExplicitAccess',
      title: t('Explicit'),
      width: 110,
      text: (row) => accessText(row.ExplicitAccess),
      render: (row) => <AccessMark access={row.ExplicitAccess} />,
    },
    {
      key: 'actions',
      title: '',
      width: 190,
      isActions: true,
      text: () => '',
      render: (row) => (
        <GrantButtons
          holder={holderOf(row)}
          explicit={row.ExplicitAccess}
          isBusy={isBusy}
          onChange={(change) => onChange(row, change)}
        />
      ),
    },
  ];
}

import { Add, Edit, GlobeNetwork, People } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNavigate } from 'react-router-dom';
import { listRights, type Right } from '#shared/contract/right-grants.ts';
import { NO_PERMISSION } from '#renderer/api/app-failure.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { AccessMark, accessText } from './AccessMark.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { Panel } from '#renderer/ui/Panel.tsx';
import { numberText } from '#renderer/language/numbers.ts';
import { said, t } from '#renderer/language/translate.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { MoreMenu, type MenuEntry } from '#renderer/ui/TitleMenu.tsx';
import { groupRights, type RightGroup } from './right-groups.ts';
import { assignPath, editPath, internetPath, refinePath } from './right-paths.ts';

const pathOf = ({ Name: name, KeyColumnName }: Right): string =>
  KeyColumnName === '' ? assignPath({ name }) : refinePath(name, KeyColumnName);

/** A right that was created on this server may have no description. */
const plainName = ({ Description, Name }: Right): string => said(Description) || Name;

const COLUMNS: GridColumn<Right>[] = [
  { key: 'Description', title: t('Right'), text: plainName, to: pathOf, width: 440, givesWayTo: 220 },
  { key: 'Name', title: t('Right Name'), text: (right) => right.Name, width: 200 },
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
  {
    key: 'actions',
    title: '',
    width: 50,
    isActions: true,
    text: () => '',
    render: (right) => <MoreMenu label={t('Menu of {name}', { name: right.Name })} entries={() => menuOf(right)} />,
  },
];

function menuOf({ Name: name, KeyColumnName, IsCustom }: Right): MenuEntry[] {
  const edit = { text: t('Edit'), icon: <Edit />, to: editPath(name, KeyColumnName) };
  if (KeyColumnName !== '') {
    return [{ text: t('Refine'), icon: <People />, to: refinePath(name, KeyColumnName) }, ...(IsCustom ? [edit] : [])];
  }
  return [
    { text: t('Assign'), icon: <People />, to: assignPath({ name }) },
    ...(name === 'sk.InternetAccess'
      ? []
      : [{ text: t('Assign internet rights'), icon: <GlobeNetwork />, to: internetPath({ name }) }]),
    ...(IsCustom ? [edit] : []),
  ];
}

/** /rights/ */
export function RightsPage() {
  const query = useQuery(queryOf(listRights));
  return (
    <Page
      title={t('Rights')}
      description={t('A right is granted or denied to roles and users: for everything, or for one schema or activity.')}
      actions={query.data && <LinkButton to="/rights/new/" icon={<Add />} text={t('New right')} />}
    >
      <QueryStates query={query} failure={t('Failed to update rights list')}>
        {({ Items }) => <Groups rights={Items} />}
      </QueryStates>
    </Page>
  );
}

function Groups({ rights }: { rights: readonly Right[] }) {
  const groups = useMemo(() => groupRights(rights), [rights]);
  return groups.map((group) => (
    <Panel
      key={group.title}
      title={group.title}
      name={`${group.table}-${group.column}`}
      isInitiallyOpen={group.column === ''}
    >
      <GroupGrid group={group} />
    </Panel>
  ));
}

function GroupGrid({ group }: { group: RightGroup }) {
  const navigate = useNavigate();
  return (
    <DataGrid
      label={t('Rights: {title}', { title: group.title })}
      rows={group.rights}
      columns={COLUMNS}
      // Source: specification of security, section 6.
      empty={NO_PERMISSION}
      onRowClick={(right) => void navigate(pathOf(right))}
    />
  );
}

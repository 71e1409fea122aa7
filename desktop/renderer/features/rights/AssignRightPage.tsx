import { Checkbox } from '@blueprintjs/core';
import { GlobeNetwork } from '@blueprintjs/icons';
import { useMemo, useState } from 'react';
import { useParams } from 'react-router-dom';
import type { GrantChange, GrantInfo, RoleGrant, UserGrant } from '#shared/contract/right-grants.ts';
import { AccessMark } from './AccessMark.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { scopeText } from './scope.ts';
import { SearchField } from '#renderer/ui/SearchField.tsx';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { useSearch } from '#renderer/ui/use-search.ts';
import { said, t } from '#renderer/language/translate.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { grantColumns } from './grant-columns.tsx';
import { internetPath, type RightAddress } from './right-paths.ts';
import { changeRoles, changeUsers, TOUCHED, useGrants } from './use-grants.ts';

/** /rights/assign/{rightName}/[{keyColumnName}/{keyColumnValue}/] */
export function AssignRightPage() {
  const { rightName: name = '', keyColumnName: keyColumn = '', keyColumnValue: value = '' } = useParams();
  const right = useMemo(() => ({ name, keyColumn, value }), [name, keyColumn, value]);
  return <AssignRight key={JSON.stringify(right)} right={right} />;
}

function AssignRight({ right }: { right: RightAddress }) {
  const { typed, setTyped, search } = useSearch();
  const [isHeld, setHeld] = useState(false);
  const query = useGrants(right, { Search: search, isHeld });
  const { isBusy, change } = useChange(TOUCHED);
  const users = useMemo(() => query.data?.pages.flatMap((page) => page.UserGrants) ?? [], [query.data]);
  const columns = useColumns(right, isBusy, change);
  const head = query.data?.pages[0];
  return (
    <Page title={t('Assign {name}', { name: right.name })} description={head && describe(head)}>
      <QueryStates query={query}>
        {({ pages: [info] }) => (
          <>
            <Card title={t('Roles')}>
              <DataGrid
                label={t('Roles and {name}', { name: right.name })}
                rows={info!.RoleGrants}
                columns={columns.roles}
                empty={t('No roles yet')}
                filterable={info!.RoleGrants.length > 10}
                maxColumnWidth={280}
              />
            </Card>
            <Card title={t('Users')}>
              <div className="rs-bar">
                <SearchField label={t('Search users')} value={typed} onChange={setTyped} />
                <Checkbox
                  className="rs-bar-check"
                  checked={isHeld}
                  label={t('Only granted or denied')}
                  onChange={(event) => setHeld(event.currentTarget.checked)}
                />
              </div>
              <DataGrid
                label={t('Users and {name}', { name: right.name })}
                rows={users}
                columns={columns.users}
                empty={t('No users to display')}
                sortable={false}
                maxColumnWidth={180}
                more={query}
              />
            </Card>
            {info!.OffersInternet && <Internet info={info!} right={right} />}
          </>
        )}
      </QueryStates>
    </Page>
  );
}

function useColumns(right: RightAddress, isBusy: boolean, change: ReturnType<typeof useChange>['change']) {
  return useMemo(() => {
    const onUser = ({ UserId }: UserGrant, how: GrantChange): void =>
      void change(() => changeUsers(right, how, [UserId]));
    const onRole = ({ RoleName }: RoleGrant, how: GrantChange): void =>
      void change(() => changeRoles(right, how, [RoleName]));
    return {
      users: [
        { key: 'UserName', title: t('User Name'), text: (row: UserGrant) => row.UserName },
        { key: 'FullName', title: t('Full Name'), text: (row: UserGrant) => `${row.FirstName} ${row.LastName}`.trim() },
        ...grantColumns<UserGrant>({ holderOf: (row) => row.UserName, isBusy, onChange: onUser }),
      ],
      roles: [
        {
          key: 'RoleName',
          title: t('Role Name'),
          text: (row: RoleGrant) =>
            row.IsActive ? row.RoleName : t('{roleName} (inactive)', { roleName: row.RoleName }),
        },
        ...grantColumns<RoleGrant>({
          holderOf: (row) => t('the role {roleName}', { roleName: row.RoleName }),
          isBusy,
          onChange: onRole,
        }),
      ],
    };
  }, [right, isBusy, change]);
}

function describe(info: GrantInfo): string {
  const scope = scopeText({ ...info, KeyColumnName: info.Right.KeyColumnName });
  return `${said(info.Right.Description)}\n${t('For {scope}', { scope })}`.trim();
}

function Internet({ info, right }: { info: GrantInfo; right: RightAddress }) {
  return (
    <Card title={t('Internet')}>
      <div className="rs-bar">
        <AccessMark access={info.OverallInternetAccess} />
        <LinkButton to={internetPath(right)} icon={<GlobeNetwork />} text={t('Assign internet rights')} />
      </div>
    </Card>
  );
}

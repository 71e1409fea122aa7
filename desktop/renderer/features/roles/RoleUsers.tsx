import { Checkbox } from '@blueprintjs/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { excludeUsers, includeUsers, listRoles, roleUsers, type RoleUser } from '#shared/contract/roles.ts';
import { call } from '#renderer/api/client.ts';
import { keepPrevious, keyOf } from '#renderer/api/queries.ts';
import { EnabledMark } from '#renderer/ui/EnabledMark.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { SearchField } from '#renderer/ui/SearchField.tsx';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { useSearch } from '#renderer/ui/use-search.ts';
import { t } from '#renderer/language/translate.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { ServerButton } from '#renderer/ui/ServerButton.tsx';

const TOUCHED = [roleUsers, listRoles] as const;
const PAGE_ROWS = 100;

function useRoleUsers(name: string, Search: string, isOnlyIncluded: boolean) {
  return useInfiniteQuery({
    ...keepPrevious,
    queryKey: [...keyOf(roleUsers), name, Search, isOnlyIncluded],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      call(roleUsers, {
        params: { name },
        query: { Search, Skip: pageParam, Take: PAGE_ROWS, ...(isOnlyIncluded ? { Included: true } : {}) },
        signal,
      }),
    getNextPageParam: (page, pages) => (page.HasMore ? pages.length * PAGE_ROWS : null),
  });
}

/** All users, with the members of the role first. Users can be added and removed. */
export function RoleUsers({ name }: { name: string }) {
  const { typed, setTyped, search } = useSearch();
  const [isOnlyIncluded, setOnlyIncluded] = useState(false);
  const query = useRoleUsers(name, search, isOnlyIncluded);
  const { isBusy, change } = useChange(TOUCHED);
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.Items) ?? [], [query.data]);
  const set = useCallback(
    (user: RoleUser) => {
      const endpoint = user.RoleName === null ? includeUsers : excludeUsers;
      void change(() => call(endpoint, { params: { name }, body: [user.UserId] }));
    },
    [change, name],
  );
  const columns = useMemo(() => userColumns(set, isBusy), [set, isBusy]);
  return (
    <>
      <div className="rs-bar">
        <SearchField label={t('Search users')} value={typed} onChange={setTyped} />
        <Checkbox
          className="rs-bar-check"
          checked={isOnlyIncluded}
          label={t('Only users in role')}
          onChange={(event) => setOnlyIncluded(event.currentTarget.checked)}
        />
      </div>
      <QueryStates query={query} failure={t('Failed to get users list')}>
        {() => (
          <DataGrid
            label={t('Users and the role {name}', { name })}
            rows={rows}
            columns={columns}
            empty={t('No users to display')}
            sortable={false}
            maxColumnWidth={220}
            more={query}
          />
        )}
      </QueryStates>
    </>
  );
}

function userColumns(set: (user: RoleUser) => void, isBusy: boolean): GridColumn<RoleUser>[] {
  return [
    { key: 'UserName', title: t('User Name'), text: (user) => user.UserName },
    { key: 'FullName', title: t('Full Name'), text: (user) => `${user.FirstName} ${user.LastName}`.trim() },
    {
      key: 'RoleName',
      title: t('In role'),
      width: 120,
      text: (user) => (user.RoleName === null ? t('No') : t('Yes')),
      render: (user) => <EnabledMark isOn={user.RoleName !== null} words={[t('Yes'), t('No')]} />,
    },
    {
      key: 'actions',
      title: '',
      width: 110,
      isActions: true,
      text: () => '',
      render: (user) => (
        <ServerButton
          size="small"
          disabled={isBusy}
          text={user.RoleName === null ? t('Include') : t('Exclude')}
          aria-label={`${user.RoleName === null ? t('Include') : t('Exclude')} ${user.UserName}`}
          onClick={() => set(user)}
        />
      ),
    },
  ];
}

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import {
  grantInfo,
  internetGrants,
  internetInfo,
  listRights,
  roleGrants,
  specificGrantInfo,
  specificInternetInfo,
  specificRights,
  userGrants,
  type GrantChange,
} from '#shared/contract/right-grants.ts';
import { call } from '#renderer/api/client.ts';
import { keepPrevious, keyOf, queryOf } from '#renderer/api/queries.ts';
import type { RightAddress } from './right-paths.ts';

const PAGE_ROWS = 100;
/** Queries that a change of grants may affect. */
export const TOUCHED = [
  grantInfo,
  specificGrantInfo,
  internetInfo,
  specificInternetInfo,
  listRights,
  specificRights,
] as const;

export interface GrantFilter {
  Search: string;
  /** True to return only users to whom the right is granted or denied in some way. */
  isHeld: boolean;
}

export function useGrants({ name, keyColumn = '', value = '' }: RightAddress, { Search, isHeld }: GrantFilter) {
  const endpoint = keyColumn === '' ? grantInfo : specificGrantInfo;
  return useInfiniteQuery({
    ...keepPrevious,
    queryKey: [...keyOf(endpoint), name, keyColumn, value, Search, isHeld],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => {
      const query = { Search, Skip: pageParam, Take: PAGE_ROWS, ...(isHeld ? { Held: true } : {}) };
      return keyColumn === ''
        ? call(grantInfo, { params: { name }, query, signal })
        : call(specificGrantInfo, { params: { name, keyColumn, value }, query, signal });
    },
    getNextPageParam: (page, pages) => (page.HasMore ? pages.length * PAGE_ROWS : null),
  });
}

export function useInternetGrant({ name, keyColumn = '', value = '' }: RightAddress) {
  const all = useQuery({ ...queryOf(internetInfo, { params: { name } }), enabled: keyColumn === '' });
  const one = useQuery({
    ...queryOf(specificInternetInfo, { params: { name, keyColumn, value } }),
    enabled: keyColumn !== '',
  });
  return keyColumn === '' ? all : one;
}

export function changeUsers({ name, keyColumn = '', value = '' }: RightAddress, change: GrantChange, body: number[]) {
  const { all, one } = userGrants[change];
  return keyColumn === ''
    ? call(all, { params: { name }, body })
    : call(one, { params: { name, keyColumn, value }, body });
}

export function changeRoles({ name, keyColumn = '', value = '' }: RightAddress, change: GrantChange, body: string[]) {
  const { all, one } = roleGrants[change];
  return keyColumn === ''
    ? call(all, { params: { name }, body })
    : call(one, { params: { name, keyColumn, value }, body });
}

export function changeInternet({ name, keyColumn = '', value = '' }: RightAddress, change: GrantChange) {
  const { all, one } = internetGrants[change];
  return keyColumn === '' ? call(all, { params: { name } }) : call(one, { params: { name, keyColumn, value } });
}

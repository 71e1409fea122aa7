import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { listUsers, rightToManageUsers, userProfile } from '#shared/contract/users.ts';
import { call } from '#renderer/api/client.ts';
import { keepPrevious, keyOf, queryOf } from '#renderer/api/queries.ts';

/** Rows per request. */
const PAGE_ROWS = 100;

export function useUsers(Search: string) {
  return useInfiniteQuery({
    ...keepPrevious,
    queryKey: [...keyOf(listUsers), Search],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      call(listUsers, { query: { Search, Skip: pageParam, Take: PAGE_ROWS }, signal }),
    getNextPageParam: (page, pages) => (page.HasMore ? pages.length * PAGE_ROWS : null),
  });
}

/** Queries what the current user may do to other users; undefined until it is known. */
export function useAbilities() {
  return useQuery({ ...queryOf(rightToManageUsers), staleTime: 60_000 });
}

/** Fetches a user once for a form: a later response must not overwrite what the user typed. */
export function useUser(id: number) {
  return useQuery({ ...queryOf(userProfile, { params: { id } }), staleTime: Infinity, gcTime: 0 });
}

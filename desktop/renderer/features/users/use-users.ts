import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { listUsers, rightToManageUsers, userProfile } from '#shared/contract/users.ts';
import { call } from '#renderer/api/client.ts';
import { keepPrevious, keyOf, queryOf } from '#renderer/api/queries.ts';

/** Rows fetched at a time. */
export const PAGE_ROWS = 100;

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

/** What the person may do to users; undefined until that is known. */
export function useAbilities() {
  return useQuery({ ...queryOf(rightToManageUsers), staleTime: 60_000 });
}

/** One user, fetched once for a form: what one types must not be replaced by a later answer. */
export function useUser(id: number) {
  return useQuery({ ...queryOf(userProfile, { params: { id } }), staleTime: Infinity, gcTime: 0 });
}

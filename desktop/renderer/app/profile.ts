import { useQuery } from '@tanstack/react-query';
import { profile, type Profile } from '#shared/contract/auth.ts';
import { RIGHT_NAMES, type RightName } from '#shared/contract/rights.ts';
import { queryOf } from '#renderer/api/queries.ts';

export const profileQuery = { ...queryOf(profile, { body: [...RIGHT_NAMES] }), staleTime: 5 * 60_000 };

/** Asked for once per load of the page. */
export const useProfileQuery = () => useQuery(profileQuery);

/** The signed-in person and their rights. */
export function useProfile(): Profile | undefined {
  return useProfileQuery().data;
}

/** Whether the answer is still awaited: what depends on a right, and would push other things away, waits for it. */
export const useIsProfileLoading = (): boolean => useProfileQuery().isLoading;

/** Whether the person holds a right for anything; undefined until that is known. The server checks in any case. */
export function useRight(right: RightName): boolean | undefined {
  const found = useProfile();
  return found && found.Rights[right] === true;
}

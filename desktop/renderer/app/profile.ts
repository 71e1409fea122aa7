import { useQuery } from '@tanstack/react-query';
import { profile, type Profile } from '#shared/contract/auth.ts';
import { RIGHT_NAMES, type RightName } from '#shared/contract/rights.ts';
import { queryOf } from '#renderer/api/queries.ts';

export const profileQuery = { ...queryOf(profile, { body: [...RIGHT_NAMES] }), staleTime: 5 * 60_000 };

/** Fetched once per page load. */
export const useProfileQuery = () => useQuery(profileQuery);

/** Returns the signed-in user and their rights. */
export function useProfile(): Profile | undefined {
  return useProfileQuery().data;
}

/**
 * Returns whether the profile is still loading. Elements that depend on a right, and would shift others, wait for it.
 */
export const useIsProfileLoading = (): boolean => useProfileQuery().isLoading;

/**
 * Returns whether the user holds a right for at least one object; undefined until this is known. The server checks
 * rights in any case.
 */
export function useRight(right: RightName): boolean | undefined {
  const found = useProfile();
  return found && found.Rights[right] === true;
}

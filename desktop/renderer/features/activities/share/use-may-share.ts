import { useProfile } from '#renderer/app/profile.ts';
import { mayShare } from './may-share.ts';

/** Returns whether the user may give others access to an activity; false until this is known. */
export function useMayShare(canEdit: boolean): boolean {
  const profile = useProfile();
  return profile !== undefined && mayShare(profile, canEdit);
}

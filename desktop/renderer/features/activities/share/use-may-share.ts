import type { Profile } from '#shared/contract/auth.ts';
import { useProfile } from '#renderer/app/profile.ts';

/** Returns whether somebody may give others access to an activity. The server checks it in any case. */
export const mayShare = ({ Rights, EditorsMayShare }: Pick<Profile, 'Rights' | 'EditorsMayShare'>, canEdit: boolean) =>
  Rights['sk.ManageRights'] === true || (EditorsMayShare && canEdit);

/** Returns whether the user may give others access to an activity; false until this is known. */
export function useMayShare(canEdit: boolean): boolean {
  const profile = useProfile();
  return profile !== undefined && mayShare(profile, canEdit);
}

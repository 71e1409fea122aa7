import type { Profile } from '#shared/contract/auth.ts';

/** Returns whether somebody may give others access to an activity. The server checks it in any case. */
export const mayShare = ({ Rights, EditorsMayShare }: Pick<Profile, 'Rights' | 'EditorsMayShare'>, canEdit: boolean) =>
  Rights['sk.ManageRights'] === true || (EditorsMayShare && canEdit);

/** Saves the form of an existing user without undoing what others have changed while it was open. */
import { listUsers, updateUser, userProfile, type SeenUser } from '#shared/contract/users.ts';
import { toFailure, type AppFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { seenUser } from './seen-user.ts';
import type { UserFormFields } from './user-form.ts';

const CONFLICT = 409;
export interface UserConflict {
  refusal: AppFailure;
  /** The user as somebody else has changed it. Another attempt with it overwrites that. */
  present: SeenUser;
}

interface EditedUser {
  /** The user that the form was filled from. */
  opened: SeenUser;
  /** The user as the person has seen it last: `opened`, or that of the last conflict. */
  present: SeenUser;
  fields: UserFormFields;
}

/** Returns null if the fields were saved, or the conflict. Throws any other refusal. */
export async function saveUser(UserId: number, { opened, present, fields }: EditedUser): Promise<UserConflict | null> {
  const { UserName, FirstName, MiddleName, LastName, Email, IsUserAdmin } = fields;
  const { SecondFactorRequired, DisableInputDownload } = fields;
  const rest = { UserName, FirstName, MiddleName, LastName, Email, SecondFactorRequired, DisableInputDownload };
  const changed = IsUserAdmin === opened.IsUserAdmin ? {} : { IsUserAdmin };
  const Seen = seenUser(opened, present, fields);
  try {
    await call(updateUser, { body: { UserId, ...rest, ...changed, Seen } });
  } catch (error) {
    const refusal = toFailure(error);
    if (refusal.status !== CONFLICT) throw refusal;
    return { refusal, present: await call(userProfile, { params: { id: UserId } }) };
  }
  await queryClient.invalidateQueries({ queryKey: keyOf(listUsers) });
  return null;
}

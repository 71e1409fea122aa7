import type { SeenUser } from '#shared/contract/users.ts';

/** Fields that the person left as they were when the form was opened must not overwrite anything. */
export function seenUser(opened: SeenUser, present: SeenUser, fields: SeenUser): SeenUser {
  const seen = <Field extends keyof SeenUser>(field: Field): SeenUser[Field] =>
    (fields[field] === opened[field] ? opened : present)[field];
  return {
    UserName: seen('UserName'),
    FirstName: seen('FirstName'),
    MiddleName: seen('MiddleName'),
    LastName: seen('LastName'),
    Email: seen('Email'),
    IsUserAdmin: seen('IsUserAdmin'),
    SecondFactorRequired: seen('SecondFactorRequired'),
    DisableInputDownload: seen('DisableInputDownload'),
  };
}

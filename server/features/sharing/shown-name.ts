import { fullName, type NameColumns } from '#server/base/full-name.ts';

/** Returns the full name of a person, or the user name of somebody without names. */
export const shownName = (person: NameColumns & { UserName: string }): string => fullName(person) || person.UserName;

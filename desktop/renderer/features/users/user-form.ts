/** The fields of the user forms and their validation. */
import type { User, UserAbilities } from '#shared/contract/users.ts';
import { newPasswordIssue } from '#renderer/api/password-limits.ts';
import { DIRECTORY_NAME_MAX, SOURCE_NAME_MAX, userIssues } from '#shared/rules/user-rules.ts';
import { t } from '#renderer/language/translate.ts';

export interface UserFormFields {
  UserName: string;
  FirstName: string;
  MiddleName: string;
  LastName: string;
  Email: string;
  IsUserAdmin: boolean;
  SecondFactorRequired: boolean;
  DisableInputDownload: boolean;
  /** Source of the user: LOCAL, or a key from originKey. */
  origin: string;
  /** The user name in that source. */
  SourceUserName: string;
  password: string;
  confirm: string;
}

export type UserFormIssues = Partial<Record<keyof UserFormFields, string>>;
export type Origins = Pick<UserAbilities, 'ExternalSources' | 'ProfileDataFromAD'>;

export const LOCAL = '';

export const NEW_USER: UserFormFields = {
  UserName: '',
  FirstName: '',
  MiddleName: '',
  LastName: '',
  Email: '',
  IsUserAdmin: false,
  SecondFactorRequired: false,
  DisableInputDownload: false,
  origin: LOCAL,
  SourceUserName: '',
  password: '',
  confirm: '',
};

export const originKey = ({ Source, SourceName }: Pick<User, 'Source' | 'SourceName'>): string =>
  Source === 'Local' ? LOCAL : `${Source} ${SourceName}`;

export const isFromDirectory = (origin: string): boolean => origin.startsWith('AD ');

/** True if names and e-mail come from the directory and cannot be edited. */
export const isProfileFetched = (origin: string, { ProfileDataFromAD }: Pick<Origins, 'ProfileDataFromAD'>): boolean =>
  isFromDirectory(origin) && ProfileDataFromAD;

/** True if the names and e-mail of an existing user can be edited. */
export const hasOwnProfile = (
  { Source }: Pick<User, 'Source'>,
  { ProfileDataFromAD }: Pick<Origins, 'ProfileDataFromAD'>,
): boolean => Source === 'Local' || (Source === 'AD' && !ProfileDataFromAD);

/** Maximum length; longer input is cut off. */
export const sourceNameMax = (origin: string): number =>
  isFromDirectory(origin) ? DIRECTORY_NAME_MAX : SOURCE_NAME_MAX;

export function fieldsOfUser(user: User): UserFormFields {
  const { UserName, FirstName, MiddleName, LastName, Email, SourceUserName } = user;
  const { IsUserAdmin, SecondFactorRequired, DisableInputDownload } = user;
  const names = { UserName, FirstName, MiddleName, LastName, Email };
  const choices = { IsUserAdmin, SecondFactorRequired, DisableInputDownload };
  return { ...NEW_USER, ...names, ...choices, origin: originKey(user), SourceUserName };
}

/**
 * @param isNew true if the form includes a password, for a local user
 * @param isFetched true if the server fetches names and e-mail from a directory
 */
export function userFormIssues(fields: UserFormFields, isNew: boolean, isFetched = false): UserFormIssues {
  const issues: UserFormIssues = userIssues(fields);
  if (isFetched) {
    delete issues.FirstName;
    delete issues.Email;
  }
  if (!isNew || fields.origin !== LOCAL) return issues;
  if (fields.password !== fields.confirm) issues.confirm = t('Passwords do not match');
  const issue = fields.password === '' ? null : newPasswordIssue(fields.password);
  if (issue !== null) issues.password = issue;
  return issues;
}

/** Assigns the server's messages to the fields of the form; messages for other fields are omitted. */
export function serverIssues(modelState: Record<string, string[]>): UserFormIssues {
  const issues: UserFormIssues = {};
  for (const [name, texts] of Object.entries(modelState)) {
    const field = name === 'Password' ? 'password' : name === 'SourceName' ? 'origin' : name;
    if (field in NEW_USER) issues[field as keyof UserFormFields] = texts.join(' ');
  }
  return issues;
}

/** Returns a hint if the name in the directory differs from the sign-in name here. */
export function sourceNameHint({ UserName, SourceUserName, origin }: UserFormFields): string {
  const there = SourceUserName.trim();
  const name = UserName.trim();
  if (there === '') return t('Leave empty if it is the user name');
  if (there.toLowerCase() === name.toLowerCase() || name === '') return '';
  return isFromDirectory(origin)
    ? t('The directory name differs from the user name. The user signs in as {name}.', { name })
    : t('The name at the provider differs from the user name.');
}

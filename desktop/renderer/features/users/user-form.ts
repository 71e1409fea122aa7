/** The fields of the user forms, and what is wrong with them. */
import type { User } from '#shared/contract/users.ts';
import { passwordIssues } from '#shared/rules/password-rules.ts';
import { userIssues } from '#shared/rules/user-rules.ts';

export interface UserFormFields {
  UserName: string;
  FirstName: string;
  MiddleName: string;
  LastName: string;
  Email: string;
  IsUserAdmin: boolean;
  SecondFactorRequired: boolean;
  password: string;
  confirm: string;
}

export type UserFormIssues = Partial<Record<keyof UserFormFields, string>>;

export const NEW_USER: UserFormFields = {
  UserName: '',
  FirstName: '',
  MiddleName: '',
  LastName: '',
  Email: '',
  IsUserAdmin: false,
  SecondFactorRequired: false,
  password: '',
  confirm: '',
};

export function fieldsOfUser(user: User): UserFormFields {
  const { UserName, FirstName, MiddleName, LastName, Email, IsUserAdmin, SecondFactorRequired } = user;
  return { ...NEW_USER, UserName, FirstName, MiddleName, LastName, Email, IsUserAdmin, SecondFactorRequired };
}

/** @param isNew whether a password goes with it. */
export function userFormIssues(fields: UserFormFields, isNew: boolean): UserFormIssues {
  const issues: UserFormIssues = userIssues(fields);
  if (!isNew) return issues;
  if (fields.password !== fields.confirm) issues.confirm = 'Passwords do not match';
  const [issue] = fields.password === '' ? [] : passwordIssues(fields.password);
  if (issue !== undefined) issues.password = issue;
  return issues;
}

/** The server's messages by field, at the fields of the form; what belongs to none is left out. */
export function serverIssues(modelState: Record<string, string[]>): UserFormIssues {
  const issues: UserFormIssues = {};
  for (const [name, texts] of Object.entries(modelState)) {
    const field = name === 'Password' ? 'password' : name;
    if (field in NEW_USER) issues[field as keyof UserFormFields] = texts.join(' ');
  }
  return issues;
}

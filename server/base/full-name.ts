/** The columns of Users that form a person's name. */
export interface NameColumns {
  FirstName: string | null;
  MiddleName: string | null;
  LastName: string | null;
}

/** Returns a name such as 'Ada M. Lovelace'; '' if there is no user. */
export function fullName({ FirstName, MiddleName, LastName }: NameColumns): string {
  return [FirstName, MiddleName, LastName].filter((part) => part).join(' ');
}

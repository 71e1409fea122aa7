/** Columns of Users that make up a person's name. */
export interface NameColumns {
  FirstName: string | null;
  MiddleName: string | null;
  LastName: string | null;
}

/** 'Ada M. Lovelace'; '' where there is no user. */
export function fullName({ FirstName, MiddleName, LastName }: NameColumns): string {
  return [FirstName, MiddleName, LastName].filter((part) => part).join(' ');
}

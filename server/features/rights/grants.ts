/** A right given (1) or denied (-1) to a person, directly or by a role, for All or for one value of a key column. */
export interface Grant {
  /** A right of the program, or one made here for workbooks. */
  RightName: string;
  /** Both '' where the grant is for All. */
  KeyColumnName: string;
  KeyColumnValue: string;
  Access: 1 | -1;
  /** The role it comes from; null where it is the person's own. */
  RoleName: string | null;
}

/** The object a right is asked for: the values of its key columns, as text or number. */
export type ObjectKeys = Readonly<Record<string, string | number>>;

/** Every object: the level of a grant without a key column. */
export const ALL = '';

/**
 * A right granted (1) or denied (-1) to a person, directly or through a role, for All or for one value of a key column.
 */
export interface Grant {
  /** A built-in right, or a custom right for workbooks. */
  RightName: string;
  /** Both are '' if the grant is for All. */
  KeyColumnName: string;
  KeyColumnValue: string;
  Access: 1 | -1;
  /** The role that the grant comes from; null if it is the person's own. */
  RoleName: string | null;
}

/** The object that a right is checked for: the values of its key columns, as text or number. */
export type ObjectKeys = Readonly<Record<string, string | number>>;

/** Stands for all objects: the level of a grant without a key column. */
export const ALL = '';

/** A right, for All (both key fields '') or for one value of a key column. */
export interface GrantKey {
  RightName: string;
  KeyColumnName: string;
  KeyColumnValue: string;
}

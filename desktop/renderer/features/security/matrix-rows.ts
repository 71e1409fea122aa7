/** Rows of the security matrix: statements about the same user or role, right and value are grouped. */
import type { RoleRight, UserRight } from '#shared/contract/security.ts';

export interface MatrixRow<Detail> {
  /** The first of the details. All details have the same holder, right and scope. */
  head: Detail;
  /** True only if every detail grants. */
  Access: boolean;
  details: Detail[];
}

interface Statement {
  RightName: string;
  KeyColumnName: string;
  KeyColumnValue: string;
  Access: boolean;
}

function groupBy<Detail extends Statement>(
  details: readonly Detail[],
  holderOf: (detail: Detail) => string | number,
): MatrixRow<Detail>[] {
  const rows = new Map<string, MatrixRow<Detail>>();
  for (const detail of details) {
    const { RightName, KeyColumnName, KeyColumnValue, Access } = detail;
    const key = `${holderOf(detail)}\0${RightName}\0${KeyColumnName}\0${KeyColumnValue}`;
    const row = rows.get(key);
    if (row) {
      row.details.push(detail);
      row.Access &&= Access;
    } else {
      rows.set(key, { head: detail, Access, details: [detail] });
    }
  }
  return [...rows.values()];
}

export const userRows = (rights: readonly UserRight[]): MatrixRow<UserRight>[] =>
  groupBy(rights, ({ UserId }) => UserId);

export const roleRows = (rights: readonly RoleRight[]): MatrixRow<RoleRight>[] =>
  groupBy(rights, ({ Source }) => Source);

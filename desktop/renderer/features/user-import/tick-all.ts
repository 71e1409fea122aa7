/** Returns the ticked users with all of the listed ones, or without them. Others stay ticked. */
export function withAll<Row extends { UserId: number }>(
  ticked: ReadonlyMap<number, Row>,
  listed: readonly Row[],
  isTicked: boolean,
): ReadonlyMap<number, Row> {
  const next = new Map(ticked);
  for (const user of listed) {
    if (isTicked) next.set(user.UserId, user);
    else next.delete(user.UserId);
  }
  return next;
}

/** Runs an insert of one row that returns its Id. */
export async function insertedId(insert: PromiseLike<readonly { Id: number }[]>): Promise<number> {
  const [row] = await insert;
  if (!row) throw new Error('An insert has returned no row');
  return row.Id;
}

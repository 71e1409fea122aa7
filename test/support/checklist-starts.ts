/** Starts checklists with a value for each input, and reads what was stored. */
import type { ChecklistPortal, User } from './checklist-portal.ts';

export const value = (ChecklistInputName: string, Value: string | null, more: object = {}) => ({
  ChecklistInputName,
  Value,
  ...more,
});
export const entered = () => [
  value('Month', '"June"'),
  value('Limit', '100'),
  value('Rate', '0.5'),
  value('Papers', '[]'),
];

export function checklistStarts(portal: ChecklistPortal) {
  const insertInto = async (table: string, row: object): Promise<void> =>
    void (await portal.app.database.knex(table).insert(row));
  const rows = (table: string, where: object) => portal.app.database.knex(table).where(where);
  const start = (ChecklistId: number, more: object = {}, user: User = portal.runner) =>
    portal.post('checklists/start', { ChecklistId, Inputs: entered(), ...more }, user);
  async function started(ChecklistId: number, more: object = {}, user: User = portal.runner): Promise<number> {
    const { status, body } = await start(ChecklistId, more, user);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.result.Id;
  }
  const stepsOf = (ChecklistRunId: number) => rows('ActivityRuns', { ChecklistRunId }).orderBy('Id');
  return { insertInto, rows, start, started, stepsOf };
}

/** Calls that start the checklists and workflows of a portal and wait for their ends. */
import type { RunPortal } from './run-portal.ts';
import { until } from './until.ts';

export function workflowCalls({ app, owner }: RunPortal) {
  async function call(method: 'GET' | 'POST', url: string, payload?: object, as = owner.headers) {
    const answer = await app.http.inject({ method, url: `/api/${url}`, headers: as, payload });
    return { status: answer.statusCode, body: answer.json() };
  }
  const result = async (method: 'GET' | 'POST', url: string, payload?: object) => {
    const { status, body } = await call(method, url, payload);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.result;
  };
  const status = (runId: number) => result('GET', `checklists/status/checklist/${runId}`);
  return {
    call,
    result,
    status,
    /** Creates a checklist of these activities and returns its Id. */
    checklistOf: async (activityIds: readonly number[]): Promise<number> => {
      const Activities = activityIds.map((Id) => ({ Id }));
      return (await result('POST', 'checklists/create', { Id: 0, Name: 'Close', Schema: 'Test', Activities })).Id;
    },
    start: async (ChecklistId: number, more: object = {}): Promise<number> =>
      (await result('POST', 'checklists/start', { ChecklistId, Inputs: [], ...more })).Id,
    ended: (runId: number) =>
      until(`the checklist's run ${runId} ends`, async () => {
        const found = await status(runId);
        return found.Checklist.EndTime === null ? undefined : found;
      }),
  };
}

/** Additional calls of a checklist's form. */
import { checklistHistory, startChecklist } from '#shared/contract/checklist-runs.ts';
import { checklistDetails } from '#shared/contract/checklists.ts';
import type { BodyOf } from '#shared/contract/endpoint.ts';
import type { startRun } from '#shared/contract/runs.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import type { StartedRun } from './start/started-run.ts';
import type { FormOrigin } from './form-origin.ts';

type ChecklistOrigin = FormOrigin & { kind: 'checklist' };

/** Starts the checklist, or continues an earlier run, and refreshes everything that shows its runs. */
export async function startChecklistForm(origin: ChecklistOrigin, body: BodyOf<typeof startRun>): Promise<StartedRun> {
  const start = checklistStart(origin, body);
  const run = await (origin.resume?.(start.Inputs, start.UniqueId ?? null) ?? call(startChecklist, { body: start }));
  refreshChecklists();
  return run;
}

function checklistStart(
  { workflowId: WorkflowId, workflowVersion: WorkflowVersion, inputs }: ChecklistOrigin,
  { ActivityId: ChecklistId, UniqueId, Inputs }: BodyOf<typeof startRun>,
): BodyOf<typeof startChecklist> {
  const names = new Map(inputs.map(({ InputId, InputName }) => [InputId, InputName]));
  const named = Inputs.map((value) => ({ ...value, ChecklistInputName: names.get(value.ActivityParameterId) }));
  return { ChecklistId, WorkflowId, WorkflowVersion, UniqueId, Inputs: named };
}

/** Returns the current revision of a checklist. */
export const checklistRevision = async (id: number): Promise<number> =>
  (await call(checklistDetails, { params: { id }, polls: true })).Revision;

/** Call this after a checklist or its runs have changed. */
export function refreshChecklists(): void {
  for (const endpoint of [checklistDetails, checklistHistory])
    void queryClient.invalidateQueries({ queryKey: keyOf(endpoint) });
}

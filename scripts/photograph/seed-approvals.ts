/** A workflow that asks for an approval, and runs of it that wait. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Activity } from '#shared/contract/activities.ts';
import type { BenchPortal } from '../bench/portal.ts';

const WAITING = 12;
const POLL_INTERVAL_MS = 250;

/** Returns the Id of the workflow. */
export async function addApprovals(
  portal: BenchPortal,
  { Id: ActivityId, Inputs }: Pick<Activity, 'Id' | 'Inputs'>,
): Promise<number> {
  const Name = 'Closing of the month with the approval of whoever answers for it';
  // A checklist must map all inputs without a preset value. In the workflow made from it, the inputs keep the
  // workbook's values.
  const mapped = Inputs.map((input) => ({ InputName: input.Name, ActivityInputs: [{ Id: input.Id }] }));
  const made = { Id: 0, Name, Schema: 'Finance', Activities: [{ Id: ActivityId }], Inputs: mapped };
  const { Id } = await portal.call<{ Id: number }>('POST', '/api/checklists/create', made);
  const { Version } = await portal.call<{ Version: number }>('POST', '/api/workflows/create', { ChecklistId: Id });
  const flow = { Join: 'AllSucceeded', OnFailure: 'Stop' };
  const Steps = [
    { Kind: 'Activity', Key: 'revenue', Name: 'Revenue', After: [], ...flow, ActivityId, Inputs: [] },
    {
      Kind: 'Approval',
      Key: 'look',
      Name: 'Look at the revenue',
      After: [{ Step: 'revenue', When: 'success' }],
      ...flow,
      Roles: [],
      UserIds: [1],
      Needed: 1,
      StarterMayApprove: true,
      Text: 'Is it what you expected?',
      Values: [{ Name: 'Revenue', From: { Kind: 'Output', Step: 'revenue', Name: 'Revenue' } }],
      ExpiresAfterHours: null,
      OnExpiry: 'Fail',
    },
  ];
  const saved = await portal.call<{ Version: number }>('POST', '/api/workflows/update', {
    Id,
    Version,
    Graph: { Inputs: [], Steps },
  });
  for (let at = 0; at < WAITING; at += 1)
    await portal.call('POST', '/api/checklists/start', {
      ChecklistId: Id,
      WorkflowId: Id,
      WorkflowVersion: saved.Version,
      Inputs: [],
    });
  for (;;) {
    const open = (await portal.database.knex('Approvals').where('Status', 'Open').pluck('Id')) as number[];
    if (open.length >= WAITING) return Id;
    await pause(POLL_INTERVAL_MS);
  }
}

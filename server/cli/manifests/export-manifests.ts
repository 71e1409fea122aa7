/** Reads what a portal has as manifests. */
import { CallFailure, type Client } from '#shared/client/client.ts';
import { listActivities } from '#shared/contract/activities.ts';
import { workflowManifest } from '#shared/contract/workflow-manifests.ts';
import { workflowDetails } from '#shared/contract/workflows.ts';
import type { WorkflowManifest } from '#shared/manifests/workflow-manifest.ts';

/** @param which number, name, or Schema/Name */
export async function readWorkflow(client: Client, which: string): Promise<WorkflowManifest> {
  const id = await workflowId(client, which);
  const { Version } = await client.call(workflowDetails, { params: { id } });
  return client.call(workflowManifest, { params: { id, version: Version } });
}

async function workflowId(client: Client, which: string): Promise<number> {
  if (/^\d+$/.test(which)) return Number(which);
  const { Checklists } = await client.call(listActivities);
  const named = Checklists.filter(({ Schema, Name }) =>
    [Name, `${Schema}/${Name}`].some((name) => name.toLowerCase() === which.toLowerCase()),
  );
  const [found] = named;
  if (!found) throw new CallFailure(`There is no workflow "${which}" that you may see`, { status: 404 });
  if (named.length > 1) {
    const all = named.map(({ Id, Schema, Name }) => `${Id} (${Schema}/${Name})`).join(', ');
    throw new CallFailure(`Several workflows are called "${which}": ${all}`, { status: 409 });
  }
  return found.Id;
}

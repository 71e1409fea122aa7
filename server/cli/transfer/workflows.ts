/** Workflows in a bundle, in the portal's own export format. */
import { CallFailure, type Client } from '#shared/client/client.ts';
import { listActivities } from '#shared/contract/activities.ts';
import { exportWorkflow, importWorkflow, workflowDetails } from '#shared/contract/workflows.ts';
import type { Manifest } from './bundle.ts';

export async function exportWorkflows(client: Client, which: readonly string[]): Promise<Manifest['Workflows']> {
  if (which.length === 0) return [];
  const { Checklists } = await client.call(listActivities);
  const workflows: Manifest['Workflows'] = [];
  for (const name of which) {
    const found = Checklists.find((one) => one.Name.toLowerCase() === name.toLowerCase() || String(one.Id) === name);
    if (!found) throw new CallFailure(`There is no workflow "${name}" that you may see`, { status: 404 });
    const { Version } = await client.call(workflowDetails, { params: { id: found.Id } });
    const token = await client.call(exportWorkflow, { params: { id: found.Id, version: Version } });
    workflows.push({ Schema: found.Schema, Name: found.Name, Content: await (await client.file(token)).text() });
  }
  return workflows;
}

/** Returns a line per workflow. A workflow whose name exists is left unchanged. */
export async function importWorkflows(
  client: Client,
  workflows: Manifest['Workflows'],
  isTrial: boolean,
): Promise<string[]> {
  const { Checklists } = await client.call(listActivities);
  const lines: string[] = [];
  for (const { Schema, Name, Content } of workflows) {
    const isThere = Checklists.some((one) => one.Schema === Schema && one.Name.toLowerCase() === Name.toLowerCase());
    if (!isThere && !isTrial) await client.call(importWorkflow, { body: { Schema, Name, Content } });
    lines.push(`${Schema}/${Name}: ${isThere ? 'a workflow of this name exists and stays unchanged' : 'new workflow'}`);
  }
  return lines;
}

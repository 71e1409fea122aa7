/** Reads what a portal has as manifests. */
import { CallFailure, type Client } from '#shared/client/client.ts';
import { activityDetails } from '#shared/contract/activities.ts';
import { workflowManifest } from '#shared/contract/workflow-manifests.ts';
import { workflowDetails } from '#shared/contract/workflows.ts';
import type { Manifest } from '#shared/manifests/check-manifest.ts';
import { OWNED_KINDS } from '#shared/manifests/owned-manifests.ts';
import type { WorkflowManifest } from '#shared/manifests/workflow-manifest.ts';
import { activityManifest } from './activity-kind.ts';
import { listOwned, ownedManifest } from './owned-kinds.ts';
import { namesOf, openPortal, type Owner, type Portal } from './portal-names.ts';

/** @param which number, name, or Schema/Name */
export async function readWorkflow(client: Client, which: string): Promise<WorkflowManifest> {
  return readNewest(client, thingOf(await openPortal(client), 'Checklist', which).Id);
}

async function readNewest(client: Client, id: number): Promise<WorkflowManifest> {
  const { Version } = await client.call(workflowDetails, { params: { id } });
  return client.call(workflowManifest, { params: { id, version: Version } });
}

/**
 * Returns a workflow, or the settings of an activity, with its schedules, triggers and alerts.
 * @param which number, name, or Schema/Name
 */
export async function readWithSettings(client: Client, kind: Owner['kind'], which: string): Promise<Manifest[]> {
  const portal = await openPortal(client);
  const { Id, Schema, Name } = thingOf(portal, kind, which);
  const first =
    kind === 'Checklist'
      ? await readNewest(client, Id)
      : activityManifest(portal, await client.call(activityDetails, { params: { id: Id } }));
  const manifests: Manifest[] = [first];
  const owner = { kind, name: { schema: Schema, name: Name } };
  for (const owned of OWNED_KINDS) {
    const { items, users } = await listOwned(client, owned, { kind, id: Id });
    for (const item of items) manifests.push(ownedManifest(owned, owner, item, namesOf(portal, users)));
  }
  return manifests;
}

/** Returns file names for manifests, all different: monthly-close.workflow.yaml. */
export function fileNames(manifests: readonly Manifest[]): string[] {
  const taken = new Set<string>();
  const endOf = (kind: Manifest['kind']): string => (kind === 'ActivitySettings' ? 'settings' : kind.toLowerCase());
  return manifests.map(({ kind, name }) => {
    const words = name.toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '');
    const base = words.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '') || 'unnamed';
    let fileName = `${base}.${endOf(kind)}.yaml`;
    for (let number = 2; taken.has(fileName); number++) fileName = `${base}-${number}.${endOf(kind)}.yaml`;
    taken.add(fileName);
    return fileName;
  });
}

function thingOf({ things }: Portal, kind: Owner['kind'], which: string): Portal['things'][Owner['kind']][number] {
  const word = kind === 'Activity' ? 'activity' : 'workflow';
  const named = things[kind].filter(({ Id, Schema, Name }) =>
    [String(Id), Name, `${Schema}/${Name}`].some((name) => name.toLowerCase() === which.toLowerCase()),
  );
  const [found] = named;
  if (!found) throw new CallFailure(`There is no ${word} "${which}" that you may see`, { status: 404 });
  if (named.length > 1) {
    const all = named.map(({ Id, Schema, Name }) => `${Id} (${Schema}/${Name})`).join(', ');
    throw new CallFailure(`Several are called "${which}": ${all}`, { status: 409 });
  }
  return found;
}

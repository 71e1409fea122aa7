/** Exports activities from a portal as a bundle. */
import type { Client } from '#shared/client/client.ts';
import { findActivity } from '#shared/client/runs.ts';
import { activityDetails, listActivities, type Activity, type ActivityLink } from '#shared/contract/activities.ts';
import type { LinkMapping } from '#shared/contract/links.ts';
import { downloadVersion } from '#shared/contract/versions.ts';
import { fileName } from '#shared/codecs/file-name.ts';
import { REGION_IDS } from '#shared/codecs/text-region.ts';
import { CliError } from '../cli-error.ts';
import type { Bundle, BundleActivity } from './bundle.ts';
import { exportWorkflows } from './workflows.ts';

export interface ExportedBundle extends Bundle {
  /** Links to activities that were not exported. */
  skipped: string[];
}

/**
 * Throws CliError if one of the activities is not a workbook.
 * @param which names or ids
 */
export async function exportActivities(
  client: Client,
  which: readonly string[],
  workflows: readonly string[],
): Promise<ExportedBundle> {
  const activities: Activity[] = [];
  for (const name of which) activities.push(await findActivity(client, name));
  const procedure = activities.find(({ Type }) => Type !== 'Workbook');
  if (procedure) throw new CliError(`${procedure.Name} is a stored procedure: only workbooks can be exported`);
  const workbooks = new Map<string, Uint8Array>();
  const exported: BundleActivity[] = [];
  const skipped: string[] = [];
  for (const [index, activity] of activities.entries()) {
    const Path = `workbooks/${index + 1}`;
    const token = await client.call(downloadVersion, { params: { id: activity.Id, version: activity.Version } });
    const response = await client.file(token);
    workbooks.set(Path, await response.bytes());
    const FileName = fileName(response.headers.get('content-disposition') ?? '');
    const isAmong = ({ LinkedActivityId }: ActivityLink) => activities.some(({ Id }) => Id === LinkedActivityId);
    for (const link of activity.ActivityLinks) if (!isAmong(link)) skipped.push(`${activity.Name}: ${link.Name}`);
    const Links = activity.ActivityLinks.filter(isAmong).map((link) => linkByNames(link, activity, activities));
    exported.push({
      ...settingsOf(activity),
      Schema: activity.Schema,
      FileName,
      ...regionOf(activity),
      Path,
      Presets: presetsOf(activity),
      Links,
    });
  }
  const manifest = {
    Format: 1 as const,
    From: client.address,
    Activities: exported,
    Workflows: await exportWorkflows(client, workflows),
  };
  return { manifest, workbooks, skipped };
}

/** Returns the ids of all workbooks that the person may edit. */
export async function editableActivities(client: Client): Promise<string[]> {
  const { Activities } = await client.call(listActivities);
  return Activities.filter(({ CanEdit, Type }) => CanEdit && Type === 'Workbook').map(({ Id }) => String(Id));
}

function settingsOf(activity: Activity) {
  const { Name, Description, SingleRun, IsActive, Group, Function, Order, MemoryCost } = activity;
  return { Name, Description, SingleRun, IsActive, Group, Function, Order, MemoryCost };
}

/** Exports only a region that people chose, because the file does not contain it. */
function regionOf({ WorkbookRegion }: Activity): Pick<BundleActivity, 'Region'> {
  const { Id, Source } = WorkbookRegion ?? {};
  const Region = Source === 'Chosen' || Source === 'Kept' ? REGION_IDS.find((id) => id === Id) : undefined;
  return Region === undefined ? {} : { Region };
}

const presetsOf = ({ Inputs }: Activity): BundleActivity['Presets'] =>
  Inputs.flatMap(({ Name, PresetValue }) => (PresetValue === null ? [] : [{ Input: Name, PresetValue }]));

function linkByNames(
  link: ActivityLink,
  activity: Activity,
  all: readonly Activity[],
): BundleActivity['Links'][number] {
  const linked = all.find(({ Id }) => Id === link.LinkedActivityId)!;
  const Mappings = (JSON.parse(link.LinkInfo) as LinkMapping[]).flatMap(({ source, target, ReadOnly }) => {
    const Output = activity.Outputs.find(({ Id }) => Id === source)?.Name;
    const Input = linked.Inputs.find(({ Id }) => Id === target)?.Name;
    return Output === undefined || Input === undefined ? [] : [{ Output, Input, ReadOnly }];
  });
  return { Name: link.Name, To: { Schema: linked.Schema, Name: linked.Name }, Mappings };
}

/** Returns the full activity with that name in the schema; undefined if there is none. */
export async function activityByName(
  client: Client,
  { Schema, Name }: { Schema: string; Name: string },
): Promise<Activity | undefined> {
  const { Activities } = await client.call(listActivities);
  const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
  const found = Activities.find((one) => same(one.Schema, Schema) && same(one.Name, Name));
  return found && client.call(activityDetails, { params: { id: found.Id } });
}

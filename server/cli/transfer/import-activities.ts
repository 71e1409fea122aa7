/** Imports a bundle into a portal: activities whose names exist get a new version, all others are created. */
import type { Client } from '#shared/client/client.ts';
import { findInput } from '#shared/client/inputs.ts';
import { activityDetails, updateActivity, type Activity } from '#shared/contract/activities.ts';
import { updatePresetValues } from '#shared/contract/forms.ts';
import { writeLink } from '#shared/contract/links.ts';
import { createActivity, downloadVersion } from '#shared/contract/versions.ts';
import { CliError } from '../cli-error.ts';
import type { Bundle, BundleActivity } from './bundle.ts';
import { activityByName } from './export-activities.ts';
import { importWorkflows } from './workflows.ts';

export interface ImportOptions {
  /** If true, nothing is changed, and the lines describe what would be. */
  isTrial: boolean;
  /** Functions that the engine lacks and that may use their saved values. */
  accept: readonly string[];
  /** Description of the change. */
  change: string;
  onLine: (line: string) => void;
}

export async function importBundle(client: Client, { manifest, workbooks }: Bundle, options: ImportOptions) {
  for (const activity of manifest.Activities) {
    await importActivity(client, activity, workbooks.get(activity.Path)!, options);
  }
  if (!options.isTrial) for (const activity of manifest.Activities) await importLinks(client, activity);
  for (const line of await importWorkflows(client, manifest.Workflows, options.isTrial)) options.onLine(line);
}

async function importActivity(client: Client, wanted: BundleActivity, bytes: Uint8Array, options: ImportOptions) {
  const before = await activityByName(client, wanted);
  if (before && before.Type !== 'Workbook') {
    throw new CliError(`${wanted.Schema}/${wanted.Name} is a stored procedure in this portal, and was not changed`);
  }
  const isSame = before !== undefined && hasRegion(before, wanted) && (await hasWorkbook(client, before, bytes));
  const changeText = isSame ? 'the same workbook' : before ? `new version ${before.Version + 1}` : 'new activity';
  options.onLine(`${wanted.Schema}/${wanted.Name}: ${changeText}`);
  if (options.isTrial) return;
  const Id = isSame ? before.Id : await upload(client, wanted, bytes, before, options);
  const {
    Schema: _schema,
    FileName: _file,
    Region: _region,
    Path: _path,
    Presets,
    Links: _links,
    ...settings
  } = wanted;
  await client.call(updateActivity, { body: { Id, ...settings } });
  await setPresets(client, await client.call(activityDetails, { params: { id: Id } }), Presets);
}

/** A workbook calculates differently in another region. */
const hasRegion = ({ WorkbookRegion }: Activity, { Region }: BundleActivity): boolean =>
  Region === undefined || WorkbookRegion?.Id === Region;

async function hasWorkbook(client: Client, { Id, Version }: Activity, bytes: Uint8Array): Promise<boolean> {
  const token = await client.call(downloadVersion, { params: { id: Id, version: Version } });
  return Buffer.from(await (await client.file(token)).bytes()).equals(bytes);
}

async function upload(
  client: Client,
  { Name, Schema, FileName, Region }: BundleActivity,
  bytes: Uint8Array,
  before: Activity | undefined,
  { accept, change }: ImportOptions,
): Promise<number> {
  const form = new FormData();
  form.set('Id', String(before?.Id ?? 0));
  if (before) form.set('Revision', String(before.Revision));
  else {
    form.set('Name', Name);
    form.set('Schema', Schema);
  }
  form.set('ChangeDescription', change);
  form.set('AcceptUnsupported', JSON.stringify(accept));
  if (Region !== undefined) form.set('Region', Region);
  form.set('file', new Blob([Uint8Array.from(bytes)]), FileName);
  return (await client.upload(createActivity, form)).Id;
}

/** Sets exactly the presets of the bundle. */
async function setPresets(client: Client, activity: Activity, presets: BundleActivity['Presets']): Promise<void> {
  const wanted = new Map(presets.map(({ Input, PresetValue }) => [findInput(activity, Input).Id, PresetValue]));
  const changed = activity.Inputs.filter(({ Id, PresetValue }) => PresetValue !== (wanted.get(Id) ?? null));
  if (changed.length === 0) return;
  const body = changed.map(({ Id }) => ({ Id, ActivityId: activity.Id, PresetValue: wanted.get(Id) ?? null }));
  await client.call(updatePresetValues, { body });
}

async function importLinks(client: Client, wanted: BundleActivity): Promise<void> {
  if (wanted.Links.length === 0) return;
  const activity = (await activityByName(client, wanted))!;
  for (const { Name, To, Mappings } of wanted.Links) {
    const linked = await activityByName(client, To);
    if (!linked) throw new CliError(`The link "${Name}" leads to ${To.Schema}/${To.Name}, which does not exist`);
    const mappings = Mappings.map(({ Output, Input, ReadOnly }) => {
      const source = activity.Outputs.find((output) => output.Name === Output);
      if (!source)
        throw new CliError(`The link "${Name}" uses the output ${Output}, which ${wanted.Name} does not have`);
      return { source: source.Id, target: findInput(linked, Input).Id, ReadOnly };
    });
    const same = activity.ActivityLinks.find((link) => link.Name === Name && link.LinkedActivityId === linked.Id);
    const ids = { Id: same?.Id ?? 0, ActivityId: activity.Id, LinkedActivityId: linked.Id };
    await client.call(writeLink, { body: { ...ids, Name, LinkInfo: JSON.stringify(mappings) } });
  }
}

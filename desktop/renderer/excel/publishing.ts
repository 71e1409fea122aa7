/** Publishes the open workbook as a version of an activity: inspection and upload. */
import { CallFailure } from '#shared/client/client.ts';
import { activityDetails, allowedSchemas, listActivities } from '#shared/contract/activities.ts';
import { versionFidelity, type FidelityReport, type WorkbookProblem } from '#shared/contract/fidelity.ts';
import { createActivity, type UploadFailure } from '#shared/contract/versions.ts';
import { inspectWorkbook } from '#shared/contract/workbook-inspection.ts';
import type { Choosable } from './ActivityChoice.tsx';
import { client } from './session.ts';
import { openWorkbook } from './workbook.ts';

export interface Target {
  /** 0 creates a new activity. */
  Id: number;
  /** Only for a new activity. */
  Name: string;
  Schema: string;
  ChangeDescription: string;
  AcceptUnsupported: readonly string[];
}

/** Findings in a workbook. */
export interface Findings {
  /** Problems that prevent it from becoming an activity. */
  problems: readonly WorkbookProblem[];
  /** Functions that may be accepted by name. */
  unsupported: readonly string[];
  fidelity: FidelityReport | null;
}

export interface PublishDestinations {
  activities: Choosable[];
  schemas: string[];
}

/** Returns where the user may publish. */
export async function findDestinations(): Promise<PublishDestinations> {
  const [{ Activities }, { Items }] = await Promise.all([client.call(listActivities), client.call(allowedSchemas)]);
  const activities = Activities.filter(({ CanEdit, Type }) => CanEdit && Type === 'Workbook');
  return { activities: byName(activities), schemas: Items.map(({ Name }) => Name) };
}

export const byName = <Activity extends Choosable>(activities: Activity[]): Activity[] =>
  activities.toSorted((a, b) => a.Schema.localeCompare(b.Schema) || a.Name.localeCompare(b.Name));

/** Returns the places with the activity that was just published added, for use if the list cannot be fetched again. */
export function withPublished(
  destinations: PublishDestinations | null,
  { Id, Name, Schema }: Choosable,
): PublishDestinations | null {
  if (destinations === null || destinations.activities.some((one) => one.Id === Id)) return destinations;
  return { ...destinations, activities: byName([...destinations.activities, { Id, Name, Schema }]) };
}

/** Returns what the open workbook would become; nothing is stored. */
export async function check(target: Target): Promise<Findings> {
  const { Faults, Unsupported, Fidelity } = await client.upload(inspectWorkbook, await formOf(target, null));
  return { problems: Faults, unsupported: Unsupported, fidelity: Fidelity };
}

export interface Published {
  Id: number;
  Version: number;
  findings: Findings;
}

/** Throws CallFailure if the portal refuses it; refusedFor extracts the problems. */
export async function publish(target: Target): Promise<Published> {
  // Fetched now and not when the pane was opened: the upload overwrites none of the fields that others may have changed
  // since.
  const revision =
    target.Id === 0 ? null : (await client.call(activityDetails, { params: { id: target.Id } })).Revision;
  const { Id, Version } = await client.upload(createActivity, await formOf(target, revision));
  const fidelity = await client.call(versionFidelity, { params: { id: Id, version: Version } }).catch(() => null);
  return { Id, Version, findings: { problems: [], unsupported: [], fidelity } };
}

async function formOf(target: Target, revision: number | null): Promise<FormData> {
  const { name, content } = await openWorkbook();
  const form = new FormData();
  form.set('Id', String(target.Id));
  if (revision !== null) form.set('Revision', String(revision));
  if (target.Id === 0) {
    form.set('Name', target.Name);
    form.set('Schema', target.Schema);
  }
  form.set('ChangeDescription', target.ChangeDescription);
  form.set('AcceptUnsupported', JSON.stringify(target.AcceptUnsupported));
  form.set('file', content, name);
  return form;
}

/** Returns what a refused upload says about the workbook; null if it was refused for another reason. */
export function refusedFor(error: unknown): Findings | null {
  if (!(error instanceof CallFailure) || typeof error.answer !== 'object') return null;
  const { Faults = [], Unsupported = [] } = error.answer as Partial<UploadFailure>;
  return Faults.length + Unsupported.length > 0 ? { problems: Faults, unsupported: Unsupported, fidelity: null } : null;
}

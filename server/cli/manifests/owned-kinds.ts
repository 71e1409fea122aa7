/** Schedules, triggers and alerts: compares them with their manifests, and saves them with the calls of the portal. */
import { Value } from 'typebox/value';
import type { Client } from '#shared/client/client.ts';
import {
  additionalActivitySchedules,
  additionalChecklistSchedules,
  AdditionalScheduleUpdate,
} from '#shared/contract/additional-schedules.ts';
import {
  activityAlerts,
  AlertDraft,
  checklistAlerts,
  saveActivityAlert,
  saveChecklistAlert,
} from '#shared/contract/alerts.ts';
import { activityTriggers, checklistTriggers, TriggerUpdate } from '#shared/contract/triggers.ts';
import { fromFile, toFile, type NamesOfPortal } from '#shared/manifests/call-fields.ts';
import { manifestChanges } from '#shared/manifests/manifest-changes.ts';
import { MANIFEST_API_VERSION } from '#shared/manifests/manifest-head.ts';
import { isRecord } from '#shared/manifests/manifest-problems.ts';
import { CALL_FIELDS, type OwnedKind, type OwnedManifest } from '#shared/manifests/owned-manifests.ts';
import type { ManifestPlan } from './manifest-plan.ts';
import {
  findThing,
  findUsers,
  type IsPlanned,
  ManifestRefusal,
  missingThing,
  namesOf,
  type Owner,
  type Portal,
  type ThingName,
} from './portal-names.ts';

/** A stored schedule, trigger or alert, with the fields of its call. */
export interface OwnedItem {
  Id: number;
  Name: string;
  Revision: number;
  [field: string]: unknown;
}

interface OwnedList {
  items: OwnedItem[];
  /** User names by id, for those that the items refer to. */
  users: ReadonlyMap<number, string>;
}

export async function listOwned(client: Client, kind: OwnedKind, { kind: of, id }: Owner): Promise<OwnedList> {
  const input = { params: { id } };
  const isActivity = of === 'Activity';
  if (kind === 'Alert') {
    const { Items, Users } = await client.call(isActivity ? activityAlerts : checklistAlerts, input);
    return { items: Items, users: new Map(Users.map(({ UserId, UserName }) => [UserId, UserName])) };
  }
  const calls =
    kind === 'Schedule'
      ? isActivity
        ? additionalActivitySchedules
        : additionalChecklistSchedules
      : isActivity
        ? activityTriggers
        : checklistTriggers;
  const { Items } = await client.call(calls.list, input);
  return { items: Items, users: new Map() };
}

/** Returns an item as a manifest. */
export function ownedManifest(
  kind: OwnedKind,
  owner: { kind: Owner['kind']; name: ThingName },
  item: OwnedItem,
  names: NamesOfPortal,
): OwnedManifest {
  const { call, usual } = CALL_FIELDS[kind];
  const fields = toFile(call, item, names, usual) as { name: string };
  const of = owner.kind === 'Activity' ? { activity: owner.name } : { workflow: owner.name };
  return { apiVersion: MANIFEST_API_VERSION, kind, ...of, ...fields };
}

export const ownerOf = ({
  activity,
  workflow,
}: OwnedManifest): { kind: Owner['kind']; name: ThingName; field: string } =>
  activity
    ? { kind: 'Activity', name: activity, field: '/activity' }
    : // The check of the file refuses a manifest without both.
      { kind: 'Checklist', name: workflow ?? { schema: '', name: '' }, field: '/workflow' };

/** Throws ManifestRefusal. */
export async function planOwned(
  portal: Portal,
  manifest: OwnedManifest,
  isPlanned: IsPlanned,
): Promise<ManifestPlan & { save: (() => Promise<void>) | null }> {
  const { client } = portal;
  const { kind, name: ownerName, field } = ownerOf(manifest);
  const id = findThing(portal, kind, ownerName, field);
  if (id === null) {
    if (kind === 'Checklist' && isPlanned(ownerName)) return { Action: 'Create', Changes: [], save: null };
    throw new ManifestRefusal([{ pointer: field, message: missingThing(kind, ownerName) }]);
  }
  const owner = { kind, id };
  const { items, users } = await listOwned(client, manifest.kind, owner);
  const known = new Map([...users, ...(await findUsers(client, manifest, owner))]);
  const names = namesOf(portal, known, isPlanned);
  const fields = callFields(manifest, names);
  if (names.problems.length > 0) throw new ManifestRefusal(names.problems);
  if (manifest.kind === 'Schedule' && !isPlanned(ownerName)) await checkSchedule(client, owner, fields);
  const existing = itemNamed(items, String(fields['Name']));
  const save = (): Promise<void> => saveOwned(client, manifest.kind, { owner, existing, fields });
  if (!existing) return { Action: 'Create', Changes: [], save };
  const { call, usual } = CALL_FIELDS[manifest.kind];
  const asFile = (item: unknown): object => toFile(call, item, names, usual) as object;
  const Changes = manifestChanges(asFile(existing), asFile(fields));
  return { Action: Changes.length > 0 ? 'Change' : 'None', Changes, save };
}

/** Lets the portal check the times and inputs of a schedule, which it otherwise does only when it saves it. */
async function checkSchedule(client: Client, owner: Owner, fields: Record<string, unknown>): Promise<void> {
  const body: unknown = { ...fields, OwnerId: owner.id, Id: 0, Revision: null };
  if (!Value.Check(AdditionalScheduleUpdate, body)) throw notFitting();
  const { OwnerId, Plan, TimeZone, CalendarId, HolidayRule, Inputs } = body;
  const calls = owner.kind === 'Activity' ? additionalActivitySchedules : additionalChecklistSchedules;
  await client.call(calls.preview, { body: { OwnerId, Plan, TimeZone, CalendarId, HolidayRule, Inputs } });
}

/** Returns the fields of the call, as the portal stores them. */
function callFields(manifest: OwnedManifest, names: NamesOfPortal): Record<string, unknown> {
  const { call, usual } = CALL_FIELDS[manifest.kind];
  const fields = fromFile(call, manifest, { names, pointer: '', usual });
  if (!isRecord(fields)) throw new TypeError('a manifest is a map of fields');
  if (fields['RetryCount'] === 0) fields['RetryInterval'] = 0;
  return { ...fields, Name: manifest.name.trim() };
}

function itemNamed(items: readonly OwnedItem[], name: string): OwnedItem | undefined {
  const found = items.filter((item) => item.Name === name);
  if (found.length > 1) {
    throw new ManifestRefusal([
      { pointer: '/name', message: `There are ${found.length} of this name. Rename all but one.` },
    ]);
  }
  return found[0];
}

async function saveOwned(
  client: Client,
  kind: OwnedKind,
  { owner, existing, fields }: { owner: Owner; existing: OwnedItem | undefined; fields: Record<string, unknown> },
): Promise<void> {
  const isActivity = owner.kind === 'Activity';
  const of = { OwnerId: owner.id, Id: existing?.Id ?? 0, Revision: existing?.Revision ?? null };
  if (kind === 'Alert') {
    // Addresses of channels are secret, so no file has them: those that are stored stay.
    const Webhooks = (Array.isArray(existing?.['Webhooks']) ? existing['Webhooks'] : []).map(
      (webhook: { Kind: string }) => ({
        Kind: webhook.Kind,
        Url: null,
      }),
    );
    const draft: unknown = { ...fields, Id: existing?.Id ?? null, Revision: of.Revision, Webhooks };
    if (!Value.Check(AlertDraft, draft)) throw notFitting();
    if (isActivity) await client.call(saveActivityAlert, { body: { ...draft, ActivityId: owner.id } });
    else await client.call(saveChecklistAlert, { body: { ...draft, ChecklistId: owner.id } });
    return;
  }
  const body: unknown = { ...fields, ...of };
  if (kind === 'Schedule') {
    if (!Value.Check(AdditionalScheduleUpdate, body)) throw notFitting();
    await client.call(isActivity ? additionalActivitySchedules.save : additionalChecklistSchedules.save, { body });
  } else {
    if (!Value.Check(TriggerUpdate, body)) throw notFitting();
    // The secret of a new trigger is not printed. A person who needs it creates one in the portal.
    await client.call(isActivity ? activityTriggers.save : checklistTriggers.save, { body });
  }
}

const notFitting = (): ManifestRefusal =>
  new ManifestRefusal([
    { pointer: '', message: 'The portal does not accept these values. Compare them with the JSON schema.' },
  ]);

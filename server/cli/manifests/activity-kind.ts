/** The settings of an activity: compares them with a manifest, and saves them with the call of the portal. */
import { Value } from 'typebox/value';
import { activityDetails, ActivityUpdate, updateActivity, type Activity } from '#shared/contract/activities.ts';
import { fromFile, toFile } from '#shared/manifests/call-fields.ts';
import { manifestChanges } from '#shared/manifests/manifest-changes.ts';
import { MANIFEST_API_VERSION } from '#shared/manifests/manifest-head.ts';
import { isRecord } from '#shared/manifests/manifest-problems.ts';
import { CALL_FIELDS, type ActivityManifest } from '#shared/manifests/owned-manifests.ts';
import type { ManifestPlan } from './manifest-plan.ts';
import { findThing, ManifestRefusal, missingThing, namesOf, type Portal } from './portal-names.ts';

const { call, usual } = CALL_FIELDS.ActivitySettings;

export function activityManifest(portal: Portal, activity: Activity): ActivityManifest {
  const { Schema: schema, Name: name } = activity;
  const fields = toFile(call, activity, namesOf(portal, new Map()), usual) as object;
  return { apiVersion: MANIFEST_API_VERSION, kind: 'ActivitySettings', schema, name, ...fields };
}

export async function planActivity(
  portal: Portal,
  manifest: ActivityManifest,
): Promise<ManifestPlan & { save: () => Promise<void> }> {
  const { client } = portal;
  const id = findThing(portal, 'Activity', manifest, '/name');
  if (id === null) throw new ManifestRefusal([{ pointer: '/name', message: missingThing('Activity', manifest) }]);
  const activity = await client.call(activityDetails, { params: { id } });
  const names = namesOf(portal, new Map());
  const fields = fromFile(call, manifest, { names, pointer: '', usual });
  const asFile = (item: unknown): object => toFile(call, item, names, usual) as object;
  const Changes = manifestChanges(asFile(activity), asFile(fields));
  const save = async (): Promise<void> => {
    const body: unknown = isRecord(fields) && { ...fields, Id: id, Name: activity.Name, Revision: activity.Revision };
    if (!Value.Check(ActivityUpdate, body)) {
      throw new ManifestRefusal([
        { pointer: '', message: 'The portal does not accept these values. Compare them with the JSON schema.' },
      ]);
    }
    await client.call(updateActivity, { body });
  };
  return { Action: Changes.length > 0 ? 'Change' : 'None', Changes, save };
}

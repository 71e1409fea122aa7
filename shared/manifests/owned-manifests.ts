/** Schedules, triggers and alerts as manifests: each belongs to an activity, a checklist or a workflow. */
import { Type, type TProperties, type TSchema } from 'typebox';
import { editableFields } from '#shared/contract/activities.ts';
import { AdditionalScheduleUpdate } from '#shared/contract/additional-schedules.ts';
import { AlertDraft } from '#shared/contract/alerts.ts';
import { closed } from '#shared/contract/endpoint.ts';
import { TriggerUpdate } from '#shared/contract/triggers.ts';
import { fileSchema, OwnerName, variantsOf } from './call-fields.ts';
import { headOf } from './manifest-head.ts';

export const OWNED_KINDS = ['Schedule', 'Trigger', 'Alert'] as const;
export type OwnedKind = (typeof OWNED_KINDS)[number];
type FieldsKind = OwnedKind | 'ActivitySettings';

/** A manifest whose fields are those of a call. */
export interface FieldsManifest<K extends FieldsKind = FieldsKind> {
  apiVersion: string;
  kind: K;
  name: string;
  [field: string]: unknown;
}

/** Exactly one of activity and workflow is set. */
export interface OwnedManifest extends FieldsManifest<OwnedKind> {
  activity?: { schema: string; name: string };
  /** A checklist or a workflow. */
  workflow?: { schema: string; name: string };
}

/** The settings of an activity, which must exist already. */
export interface ActivityManifest extends FieldsManifest<'ActivitySettings'> {
  schema: string;
}

interface Fields {
  /** The fields of the call that a manifest has. */
  call: TSchema;
  /** Values that a manifest may omit, as in a file. */
  usual: Readonly<Record<string, unknown>>;
  /** The field whose alternatives are told apart by their kind; null if there is none. */
  variant: 'plan' | 'condition' | null;
}

const { Id: _schedule, OwnerId: _owner, Revision: _revision, ...schedule } = AdditionalScheduleUpdate.properties;
const { Id: _trigger, OwnerId: _triggerOwner, Revision: _triggerRevision, ...trigger } = TriggerUpdate.properties;
const { Id: _alert, Revision: _alertRevision, Webhooks: _webhooks, ...alert } = AlertDraft.properties;
const { Name: _name, ...activity } = editableFields;
const NOBODY = { byBell: false, byMail: false };

export const CALL_FIELDS: Readonly<Record<FieldsKind, Fields>> = {
  Schedule: {
    call: closed(schedule),
    usual: { HolidayRule: 'Keep', RetryCount: 0, RetryInterval: 0, Overlap: 'Wait', Missed: 'None', MissedMax: 1 },
    variant: 'plan',
  },
  Trigger: { call: closed(trigger), usual: { Overlap: 'Wait' }, variant: 'plan' },
  Alert: { call: closed(alert), usual: { IsActive: true, NextReceivers: NOBODY }, variant: 'condition' },
  ActivitySettings: {
    call: closed(activity),
    usual: { Description: '', SingleRun: false, IsActive: true, Group: '', Function: '', MemoryCost: 0 },
    variant: null,
  },
};

const ownedSchema = (kind: OwnedKind): TSchema =>
  closed({
    ...headOf(kind),
    activity: Type.Optional(OwnerName),
    workflow: Type.Optional(OwnerName),
    ...fieldsOf(kind),
  });

const fieldsOf = (kind: FieldsKind): TProperties =>
  // The schema of an object has its properties.
  (fileSchema(CALL_FIELDS[kind].call, CALL_FIELDS[kind].usual) as TSchema & { properties: TProperties }).properties;

export const OWNED_MANIFESTS = {
  ActivitySettings: closed({
    ...headOf('ActivitySettings'),
    ...OwnerName.properties,
    ...fieldsOf('ActivitySettings'),
  }),
  Schedule: ownedSchema('Schedule'),
  Trigger: ownedSchema('Trigger'),
  Alert: ownedSchema('Alert'),
} as const satisfies Record<FieldsKind, TSchema>;

/** The schemas of the field with alternatives, by its kind. */
export function variantsOfKind(kind: FieldsKind): Record<string, TSchema> {
  const { call, variant } = CALL_FIELDS[kind];
  if (variant === null) return {};
  const properties = (call as TSchema & { properties: Record<string, TSchema> }).properties;
  return variantsOf(properties[variant === 'plan' ? 'Plan' : 'Condition']);
}

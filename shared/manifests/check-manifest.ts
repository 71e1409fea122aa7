/** The kinds of manifests, and the checks that need no portal. */
import { Type, type TProperties, type TSchema } from 'typebox';
import { headProblems, isRecord, partProblems, type ManifestPart, type ManifestProblem } from './manifest-problems.ts';
import {
  CALL_FIELDS,
  OWNED_KINDS,
  OWNED_MANIFESTS,
  variantsOfKind,
  type ActivityManifest,
  type OwnedManifest,
} from './owned-manifests.ts';
import { pointerTo } from './read-manifest.ts';
import { STEP_MANIFESTS, WorkflowManifest } from './workflow-manifest.ts';

/** The schemas of all kinds, in the order in which manifests are applied: each kind refers only to earlier ones. */
export const MANIFEST_SCHEMAS = {
  ActivitySettings: OWNED_MANIFESTS.ActivitySettings,
  Workflow: WorkflowManifest,
  Schedule: OWNED_MANIFESTS.Schedule,
  Trigger: OWNED_MANIFESTS.Trigger,
  Alert: OWNED_MANIFESTS.Alert,
} as const;
export type ManifestKind = keyof typeof MANIFEST_SCHEMAS;
export const MANIFEST_KINDS = Object.keys(MANIFEST_SCHEMAS) as ManifestKind[];

export type Manifest = WorkflowManifest | OwnedManifest | ActivityManifest;

/** Returns what is wrong with a value that was read from a file. If it is empty, the value is a Manifest. */
export function checkManifest(value: unknown): ManifestProblem[] {
  const head = headProblems(value, MANIFEST_KINDS);
  if (head.length > 0 || !isRecord(value)) return head;
  const kind = value['kind'] as ManifestKind;
  return [...partsOf(kind, value).flatMap(partProblems), ...ownerProblems(kind, value)];
}

function partsOf(kind: ManifestKind, value: Record<string, unknown>): ManifestPart[] {
  const what = `a manifest of kind ${kind}`;
  if (kind === 'Workflow') {
    const whole = { pointer: '', value, schema: open(WorkflowManifest, 'steps', ANY_STEPS), what };
    return [whole, ...stepParts(value['steps'])];
  }
  const schema = OWNED_MANIFESTS[kind];
  const { variant } = CALL_FIELDS[kind];
  if (variant === null) return [{ pointer: '', value, schema, what }];
  const whole = { pointer: '', value, schema: open(schema, variant, Type.Unknown()), what };
  const one = value[variant];
  return one === undefined ? [whole] : [whole, variantPart(`/${variant}`, one, variantsOfKind(kind), variant)];
}

/** A schema in which one field has any value: its alternatives are checked by the schema of their kind instead. */
const open = (schema: TSchema, field: string, any: TSchema): TSchema =>
  Type.Object(
    { ...(schema as TSchema & { properties: TProperties }).properties, [field]: any },
    { additionalProperties: false },
  );
const ANY_STEPS = Type.Array(Type.Unknown(), { maxItems: 1000 });

/** The problems of an alternative that is known by its kind are easier to understand than those of a union. */
function variantPart(
  pointer: string,
  value: unknown,
  schemas: Readonly<Record<string, TSchema>>,
  name: string,
): ManifestPart {
  const kind = isRecord(value) ? value['kind'] : undefined;
  const schema = typeof kind === 'string' && Object.hasOwn(schemas, kind) ? schemas[kind] : undefined;
  if (schema) return { pointer, value, schema, what: `a ${name} of kind ${String(kind)}` };
  return { pointer, value, schema: Type.Object({ kind: Type.Enum(Object.keys(schemas)) }), what: `a ${name}` };
}

const stepParts = (steps: unknown): ManifestPart[] =>
  Array.isArray(steps)
    ? steps
        .slice(0, 1000)
        .map((step: unknown, index) => variantPart(pointerTo('/steps', index), step, STEP_MANIFESTS, 'step'))
    : [];

function ownerProblems(kind: ManifestKind, value: Record<string, unknown>): ManifestProblem[] {
  if (!(OWNED_KINDS as readonly string[]).includes(kind)) return [];
  const owners = ['activity', 'workflow'].filter((field) => value[field] !== undefined);
  if (owners.length === 1) return [];
  const pointer = owners.length === 0 ? '' : '/workflow';
  return [{ pointer, message: `${kind} must have exactly one of activity, workflow.` }];
}

/** The kinds of manifests, and the checks that need no portal. */
import type { TSchema } from 'typebox';
import { Type } from 'typebox';
import { headProblems, isRecord, partProblems, type ManifestPart, type ManifestProblem } from './manifest-problems.ts';
import { pointerTo } from './read-manifest.ts';
import { STEP_MANIFESTS, WorkflowManifest } from './workflow-manifest.ts';

/** The schemas of all kinds, in the order in which manifests are applied. */
export const MANIFEST_SCHEMAS = { Workflow: WorkflowManifest } as const;
export type ManifestKind = keyof typeof MANIFEST_SCHEMAS;
export const MANIFEST_KINDS = Object.keys(MANIFEST_SCHEMAS) as ManifestKind[];

export type Manifest = WorkflowManifest;

/** Returns what is wrong with a value that was read from a file. If it is empty, the value is a Manifest. */
export function checkManifest(value: unknown): ManifestProblem[] {
  const head = headProblems(value, MANIFEST_KINDS);
  if (head.length > 0 || !isRecord(value)) return head;
  return partsOf(value).flatMap(partProblems);
}

function partsOf(value: Record<string, unknown>): ManifestPart[] {
  const kind = value['kind'] as ManifestKind;
  const what = `a manifest of kind ${kind}`;
  if (kind !== 'Workflow') return [{ pointer: '', value, schema: MANIFEST_SCHEMAS[kind], what }];
  return [{ pointer: '', value, schema: WITHOUT_STEPS, what }, ...stepParts(value['steps'])];
}

/** Any steps: each one is checked by the schema of its kind, whose problems are easier to understand. */
const WITHOUT_STEPS: TSchema = Type.Object(
  { ...WorkflowManifest.properties, steps: Type.Array(Type.Unknown(), { maxItems: 1000 }) },
  { additionalProperties: false },
);
const STEP_KINDS = Object.keys(STEP_MANIFESTS);
const KIND_OF_STEP = Type.Object({ kind: Type.Enum(STEP_KINDS) });

function stepParts(steps: unknown): ManifestPart[] {
  if (!Array.isArray(steps)) return [];
  return steps.slice(0, 1000).map((step: unknown, index): ManifestPart => {
    const pointer = pointerTo('/steps', index);
    const kind = isRecord(step) ? step['kind'] : undefined;
    if (typeof kind !== 'string' || !STEP_KINDS.includes(kind)) {
      return { pointer, value: step, schema: KIND_OF_STEP, what: 'a step' };
    }
    const schema = STEP_MANIFESTS[kind as keyof typeof STEP_MANIFESTS];
    return { pointer, value: step, schema, what: `a step of kind ${kind}` };
  });
}

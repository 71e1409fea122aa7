/** Translates between the file format of workflows, whose fields are those of the calls, and readable manifests. */
import { Value } from 'typebox/value';
import { AppError } from '#server/base/app-error.ts';
import { checkManifest } from '#shared/manifests/check-manifest.ts';
import { MANIFEST_API_VERSION } from '#shared/manifests/manifest-head.ts';
import { isRecord } from '#shared/manifests/manifest-problems.ts';
import { WorkflowManifest, type ManifestSource, type StepManifest } from '#shared/manifests/workflow-manifest.ts';
import { DEFAULT_FOR_EACH_CONCURRENCY, type ValueSource } from '#shared/rules/workflows/types.ts';
import {
  emptyWorkflowFile,
  notOurs,
  parseFile,
  requireWorkflowFile,
  type FileStep,
  type WorkflowFile,
} from './workflow-file.ts';

/** Returns a manifest without the fields that have their default value. */
export function manifestOfFile(file: WorkflowFile, schema: string): WorkflowManifest {
  const { Name, Description, Group, Inputs, Steps } = file;
  return {
    apiVersion: MANIFEST_API_VERSION,
    kind: 'Workflow',
    schema,
    name: Name,
    ...(Description !== '' && { description: Description }),
    ...(Group !== '' && { group: Group }),
    ...(Inputs.length > 0 && { inputs: Inputs.map(inputManifest) }),
    steps: Steps.map(stepManifest),
  };
}

function inputManifest({ Name, Type, Default }: WorkflowFile['Inputs'][number]) {
  return { name: Name, ...(Type && { type: Type }), ...(Default && { default: sourceManifest(Default) }) };
}

function stepManifest(step: FileStep): StepManifest {
  switch (step.Kind) {
    case 'Activity':
      return { kind: 'Activity', ...fieldsManifest(step), ...activityManifest(step) };
    case 'ForEach':
      return {
        kind: 'ForEach',
        ...fieldsManifest(step),
        ...activityManifest(step),
        rows: sourceManifest(step.Rows),
        ...(step.KeyColumn !== null && { keyColumn: step.KeyColumn }),
        ...(step.AtOnce !== DEFAULT_FOR_EACH_CONCURRENCY && { concurrentRows: step.AtOnce }),
        ...(step.StopAfterFailures !== null && { stopAfterFailures: step.StopAfterFailures }),
      };
    case 'Decision':
      return { kind: 'Decision', ...fieldsManifest(step), condition: step.Condition, ...valuesManifest(step.Values) };
    case 'Approval':
      return {
        kind: 'Approval',
        ...fieldsManifest(step),
        ...(step.Roles.length > 0 && { roles: step.Roles }),
        ...(step.Users.length > 0 && { users: step.Users }),
        needed: step.Needed,
        ...(step.StarterMayApprove && { starterMayApprove: true }),
        ...(step.Text !== '' && { text: step.Text }),
        ...valuesManifest(step.Values),
        ...(step.ExpiresAfterHours !== null && { expiresAfterHours: step.ExpiresAfterHours }),
        ...(step.OnExpiry !== 'Fail' && { onExpiry: step.OnExpiry }),
      };
  }
}

function fieldsManifest({ Key, Name, After, Join, OnFailure, X, Y }: FileStep) {
  const position = { ...(X !== undefined && { x: X }), ...(Y !== undefined && { y: Y }) };
  return {
    key: Key,
    name: Name,
    ...(After.length > 0 && { after: After.map(({ Step, When }) => ({ step: Step, when: When })) }),
    ...(Join !== 'AllSucceeded' && { join: Join }),
    ...(OnFailure !== 'Stop' && { onFailure: OnFailure }),
    ...(Object.keys(position).length > 0 && { position }),
  };
}

type RunningStep = Extract<FileStep, { Activity: object }>;

function activityManifest({ Activity, Inputs, MayRepeat }: RunningStep) {
  return {
    activity: { schema: Activity.Schema, name: Activity.Name },
    ...(Inputs.length > 0 && { inputs: Inputs.map(({ Input, From }) => ({ name: Input, ...sourceManifest(From) })) }),
    ...(MayRepeat && { mayRepeat: true }),
  };
}

const valuesManifest = (values: readonly { Name: string; From: ValueSource }[]) =>
  values.length > 0 && { values: values.map(({ Name, From }) => ({ name: Name, ...sourceManifest(From) })) };

function sourceManifest(from: ValueSource): ManifestSource {
  switch (from.Kind) {
    case 'Input':
      return { fromInput: from.Name };
    case 'Output':
      return { fromOutput: { step: from.Step, output: from.Name } };
    case 'Column':
      return { fromColumn: from.Name };
    case 'Constant':
      return { constant: from.Value };
    case 'Expression':
      return { formula: from.Formula };
  }
}

/**
 * Reads an exported file: the format of the calls, or a manifest as JSON. Throws an AppError 400 that says what is wrong
 * with it.
 */
export function readImportedFile(content: string): WorkflowFile {
  const parsed = parseFile(content);
  if (!isRecord(parsed) || !('apiVersion' in parsed)) return requireWorkflowFile(parsed);
  const [problem] = checkManifest(parsed);
  if (problem) {
    const { pointer, message } = problem;
    throw new AppError('workflowFile', 400, message, { modelState: { [pointer || '/']: [message] } });
  }
  if (!Value.Check(WorkflowManifest, parsed)) throw notOurs('it is not a workflow');
  return fileOfManifest(parsed);
}

export function fileOfManifest(manifest: WorkflowManifest): WorkflowFile {
  return {
    ...emptyWorkflowFile(),
    Name: manifest.name,
    Description: manifest.description ?? '',
    Group: manifest.group ?? '',
    Inputs: (manifest.inputs ?? []).map(({ name, type, default: value }) => ({
      Name: name,
      ...(type && { Type: type }),
      ...(value && { Default: ownSource(value) }),
    })),
    Steps: manifest.steps.map(fileStep),
  };
}

function fileStep(step: StepManifest): FileStep {
  switch (step.kind) {
    case 'Activity':
      return { Kind: 'Activity', ...fileFields(step), ...fileActivity(step) };
    case 'ForEach':
      return {
        Kind: 'ForEach',
        ...fileFields(step),
        ...fileActivity(step),
        Rows: readSource(step.rows),
        KeyColumn: step.keyColumn ?? null,
        AtOnce: step.concurrentRows ?? DEFAULT_FOR_EACH_CONCURRENCY,
        StopAfterFailures: step.stopAfterFailures ?? null,
      };
    case 'Decision':
      return { Kind: 'Decision', ...fileFields(step), Condition: step.condition, Values: fileValues(step.values) };
    case 'Approval':
      return {
        Kind: 'Approval',
        ...fileFields(step),
        Roles: step.roles ?? [],
        Users: step.users ?? [],
        Needed: step.needed,
        StarterMayApprove: step.starterMayApprove ?? false,
        Text: step.text ?? '',
        Values: fileValues(step.values),
        ExpiresAfterHours: step.expiresAfterHours ?? null,
        OnExpiry: step.onExpiry ?? 'Fail',
      };
  }
}

function fileFields({ key, name, after, join, onFailure, position: { x, y } = {} }: StepManifest) {
  return {
    Key: key,
    Name: name,
    After: (after ?? []).map(({ step, when }) => ({ Step: step, When: when })),
    Join: join ?? 'AllSucceeded',
    OnFailure: onFailure ?? 'Stop',
    ...(x !== undefined && { X: x }),
    ...(y !== undefined && { Y: y }),
  };
}

function fileActivity({ activity, inputs, mayRepeat }: Extract<StepManifest, { activity: object }>) {
  return {
    Activity: { Schema: activity.schema, Name: activity.name },
    Inputs: (inputs ?? []).map(({ name, ...source }) => ({ Input: name, From: anySource(source) })),
    ...(mayRepeat && { MayRepeat: true }),
  };
}

type SourceFields = { [K in keyof ManifestSource]?: ManifestSource[K] };
type OwnSource = Extract<ValueSource, { Kind: 'Constant' | 'Expression' }>;
type ReadSource = Exclude<ValueSource, { Kind: 'Constant' | 'Column' }>;

const fileValues = (values: readonly ({ name: string } & SourceFields)[] = []) =>
  values.map(({ name, ...source }) => ({ Name: name, From: readSource(source) }));

/** The schema of a manifest lets exactly one source through. */
function anySource({ fromColumn, constant, ...source }: SourceFields): ValueSource {
  if (fromColumn !== undefined) return { Kind: 'Column', Name: fromColumn };
  if (constant !== undefined) return { Kind: 'Constant', Value: constant };
  return readSource(source);
}

function readSource({ fromInput, fromOutput, formula }: SourceFields): ReadSource {
  if (fromInput !== undefined) return { Kind: 'Input', Name: fromInput };
  if (fromOutput !== undefined) return { Kind: 'Output', Step: fromOutput.step, Name: fromOutput.output };
  return { Kind: 'Expression', Formula: formula ?? '' };
}

const ownSource = ({ constant, formula }: SourceFields): OwnSource =>
  constant === undefined ? { Kind: 'Expression', Formula: formula ?? '' } : { Kind: 'Constant', Value: constant };

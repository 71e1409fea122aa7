/**
 * A workflow as a manifest: a readable YAML document that names activities and people instead of their ids, so that it
 * means the same in every portal. Fields with their default value may be omitted; the schema states no defaults, because
 * the server would fill them in.
 */
import { Type, type Static } from 'typebox';
import { COLUMN_KINDS } from '#shared/codecs/condition-columns.ts';
import { closed, nullable } from '#shared/contract/endpoint.ts';
import { CHECKLIST_DESCRIPTION_MAX, CHECKLIST_GROUP_MAX, CHECKLIST_NAME_MAX } from '#shared/rules/checklist-rules.ts';
import { EXPRESSION_MAX } from '#shared/rules/workflows/expression-names.ts';
import {
  DEFAULT_FOR_EACH_CONCURRENCY,
  EDGE_CONDITIONS,
  FAILURE_POLICIES,
  JOIN_RULES,
  MAX_FOR_EACH_CONCURRENCY,
  STEP_KEY_MAX,
} from '#shared/rules/workflows/types.ts';
import { headOf } from './manifest-head.ts';

const Key = Type.String({ minLength: 1, maxLength: STEP_KEY_MAX });
/** Allows longer names than a step or input may have: the portal refuses them with a readable message. */
const Name = Type.String({ maxLength: 500 });
const described = <T extends object>(description: string, options: T): T & { description: string } => ({
  ...options,
  description,
});

const Constant = nullable(Type.Union([Type.String({ maxLength: 32_767 }), Type.Number(), Type.Boolean()]));
const Formula = Type.String(
  described('A formula over Inputs.[Name], [Step].[Output] and [Step].[Table][Column]', { maxLength: EXPRESSION_MAX }),
);

/** The source of a value. Exactly one of these fields is set. */
const SOURCE = {
  fromInput: Type.Optional(Type.String(described('Input of the workflow', { maxLength: 500 }))),
  fromOutput: Type.Optional(closed({ step: Key, output: Name })),
  fromColumn: Type.Optional(
    Type.String(described('Column of the current row, in a step of kind ForEach', { maxLength: 500 })),
  ),
  constant: Type.Optional(Constant),
  formula: Type.Optional(Formula),
};
/** The names of the fields that are the source of a value. */
export const SOURCE_FIELDS = Object.keys(SOURCE);

const oneOf = (names: number) => ({
  additionalProperties: false,
  minProperties: names + 1,
  maxProperties: names + 1,
});
const { fromColumn: _column, ...SOURCE_WITHOUT_ROW } = SOURCE;
const { constant: _constant, ...SOURCE_OF_VALUE } = SOURCE_WITHOUT_ROW;
const NamedValue = Type.Object({ name: Name, ...SOURCE_OF_VALUE }, oneOf(1));
export type ManifestSource = Static<ReturnType<typeof sourceSchema>>;
const sourceSchema = () => Type.Object(SOURCE, oneOf(0));

const Coordinate = Type.Optional(Type.Number({ minimum: -1_000_000, maximum: 1_000_000 }));
const stepFields = {
  key: Type.String(
    described('Identifies the step permanently: letters, digits, - and _', { minLength: 1, maxLength: STEP_KEY_MAX }),
  ),
  name: Name,
  after: Type.Optional(
    Type.Array(closed({ step: Key, when: Type.Enum(EDGE_CONDITIONS) }), {
      maxItems: 1000,
      description: 'The steps that come before this one, and on which result it follows',
    }),
  ),
  join: Type.Optional(Type.Enum(JOIN_RULES, { description: 'AllSucceeded if omitted' })),
  onFailure: Type.Optional(Type.Enum(FAILURE_POLICIES, { description: 'Stop if omitted' })),
  position: Type.Optional(closed({ x: Coordinate, y: Coordinate })),
};

const activityFields = {
  activity: closed({ schema: Type.String({ maxLength: 30 }), name: Type.String({ maxLength: 30 }) }),
  inputs: Type.Optional(Type.Array(Type.Object({ name: Name, ...SOURCE }, oneOf(1)), { maxItems: 10_000 })),
  mayRepeat: Type.Optional(Type.Boolean({ description: 'True if it may run again after a server was interrupted' })),
};

/** The fields of a step by its kind. */
export const STEP_MANIFESTS = {
  Activity: closed({ kind: Type.Literal('Activity'), ...stepFields, ...activityFields }),
  ForEach: closed({
    kind: Type.Literal('ForEach'),
    ...stepFields,
    ...activityFields,
    rows: Type.Object(SOURCE_OF_VALUE, oneOf(0)),
    keyColumn: Type.Optional(Type.String(described('Column that names the rows', { maxLength: 500 }))),
    concurrentRows: Type.Optional(
      Type.Integer(
        described(`${DEFAULT_FOR_EACH_CONCURRENCY} if omitted`, { minimum: 1, maximum: MAX_FOR_EACH_CONCURRENCY }),
      ),
    ),
    stopAfterFailures: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  }),
  Decision: closed({
    kind: Type.Literal('Decision'),
    ...stepFields,
    condition: Type.String({ maxLength: 4000 }),
    values: Type.Optional(Type.Array(NamedValue, { maxItems: 100 })),
  }),
  Approval: closed({
    kind: Type.Literal('Approval'),
    ...stepFields,
    roles: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { maxItems: 100 })),
    users: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 256 }), described('User names', { maxItems: 100 })),
    ),
    needed: Type.Integer(described('Number of approvals required', { minimum: 1, maximum: 100 })),
    starterMayApprove: Type.Optional(Type.Boolean({ description: 'True if who started the run may decide' })),
    text: Type.Optional(Type.String(described('Shown to the approvers', { maxLength: 4000 }))),
    values: Type.Optional(Type.Array(NamedValue, { maxItems: 100 })),
    expiresAfterHours: Type.Optional(Type.Number(described('Never if omitted', { minimum: 0.01, maximum: 8784 }))),
    onExpiry: Type.Optional(Type.Enum(['Fail', 'Approve'] as const, { description: 'Fail if omitted' })),
  }),
};

export const StepManifest = Type.Union([
  STEP_MANIFESTS.Activity,
  STEP_MANIFESTS.ForEach,
  STEP_MANIFESTS.Decision,
  STEP_MANIFESTS.Approval,
]);
export type StepManifest = Static<typeof StepManifest>;

export const WorkflowManifest = closed({
  ...headOf('Workflow'),
  schema: Type.String({ minLength: 1, maxLength: 30 }),
  name: Type.String({ minLength: 1, maxLength: CHECKLIST_NAME_MAX, pattern: '\\S' }),
  description: Type.Optional(Type.String({ maxLength: CHECKLIST_DESCRIPTION_MAX })),
  group: Type.Optional(Type.String({ maxLength: CHECKLIST_GROUP_MAX })),
  inputs: Type.Optional(
    Type.Array(
      closed({
        name: Name,
        type: Type.Optional(Type.Enum(COLUMN_KINDS, { description: 'Type of an input that no activity takes' })),
        default: Type.Optional(Type.Object({ constant: SOURCE.constant, formula: SOURCE.formula }, oneOf(0))),
      }),
      described('What a start asks for, in this order', { maxItems: 1000 }),
    ),
  ),
  steps: Type.Array(StepManifest, { maxItems: 1000 }),
});
export type WorkflowManifest = Static<typeof WorkflowManifest>;

/** A workflow as a file. Activities are named by schema and name, because their ids differ between installations. */
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { AppError } from '#server/base/app-error.ts';
import { closed } from '#shared/contract/endpoint.ts';
import {
  ActivityStep,
  ApprovalStep,
  DecisionStep,
  ForEachStep,
  WorkflowGraphData,
} from '#shared/contract/workflows.ts';
import type { WorkflowGraph } from '#shared/rules/workflows/types.ts';

const FORMAT = 'runsheet-workflow';

const Activity = closed({ Schema: Type.String({ maxLength: 30 }), Name: Type.String({ maxLength: 30 }) });
const { ActivityId: _activityId, ...activityStep } = ActivityStep.properties;
const { ActivityId: _forEachId, ...forEachStep } = ForEachStep.properties;
const { UserIds: _userIds, ...approvalStep } = ApprovalStep.properties;
const FileStep = Type.Union([
  closed({ ...activityStep, Activity }),
  closed({ ...forEachStep, Activity }),
  closed({
    ...approvalStep,
    /** User names of the people who decide. */
    Users: Type.Array(Type.String({ maxLength: 256 }), { maxItems: 100 }),
  }),
  DecisionStep,
]);
export type FileStep = Static<typeof FileStep>;

const WorkflowFile = closed({
  Format: Type.Literal(FORMAT),
  FormatVersion: Type.Literal(1),
  Name: Type.String({ maxLength: 2000 }),
  Description: Type.String({ maxLength: 2000 }),
  Group: Type.String({ maxLength: 2000 }),
  Inputs: WorkflowGraphData.properties.Inputs,
  Steps: Type.Array(FileStep, { maxItems: 1000 }),
});
export type WorkflowFile = Static<typeof WorkflowFile>;

/** Translates ids to the names that a file contains. */
export interface NamesOfFile {
  /** Returns the activity by id. Throws if there is none. */
  activityOf: (id: number) => { Schema: string; Name: string };
  /** Returns the UserName by UserId; undefined if the user no longer exists. */
  userOf: (id: number) => string | undefined;
}

/** A file without steps. */
export const emptyWorkflowFile = (): WorkflowFile => ({
  Format: FORMAT,
  FormatVersion: 1,
  Name: '',
  Description: '',
  Group: '',
  Inputs: [],
  Steps: [],
});

export function workflowFile(
  about: Pick<WorkflowFile, 'Name' | 'Description' | 'Group'>,
  { Inputs, Steps }: WorkflowGraphData,
  { activityOf, userOf }: NamesOfFile,
): WorkflowFile {
  return {
    ...emptyWorkflowFile(),
    ...about,
    Inputs,
    Steps: Steps.map((step) => {
      if (step.Kind === 'Decision') return step;
      if (step.Kind === 'Approval') {
        const { UserIds, ...rest } = step;
        return { ...rest, Users: UserIds.flatMap((id) => userOf(id) ?? []) };
      }
      const { ActivityId, ...rest } = step;
      return { ...rest, Activity: activityOf(ActivityId) };
    }),
  };
}

export const notOurs = (why: string): AppError =>
  new AppError('workflowFile', 400, `The file is not an exported workflow: ${why}`, {
    modelState: { Content: [why] },
  });

/** Returns the value of a file's text. Throws an AppError 400 if it is not JSON. */
export function parseFile(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw notOurs('it is not valid JSON');
  }
}

/** Throws an AppError 400 that says what is wrong with the file. */
export function requireWorkflowFile(parsed: unknown): WorkflowFile {
  if (Value.Check(WorkflowFile, parsed)) return parsed;
  const [first] = Value.Errors(WorkflowFile, parsed);
  const where = first && 'instancePath' in first && first.instancePath ? `${first.instancePath} ` : 'it ';
  throw notOurs(`${where}${first?.message ?? 'has another form'}`.slice(0, 300));
}

export type NamedActivity = Static<typeof Activity>;

/** Returns the activities that a file names. */
export const activitiesOfFile = ({ Steps }: WorkflowFile): NamedActivity[] =>
  Steps.flatMap((step) => ('Activity' in step ? [step.Activity] : []));

/** Returns the distinct UserNames that a file contains. */
export const usersOfFile = ({ Steps }: WorkflowFile): string[] => [
  ...new Set(Steps.flatMap((step) => ('Users' in step ? step.Users : []))),
];

export interface IdsOfFile {
  /** Returns the id of an existing activity. */
  idOf: (activity: NamedActivity) => number;
  /** Returns the id of an existing user. */
  userIdOf: (userName: string) => number;
}

/** Converts a file to a graph. */
export function graphOfFile({ Inputs, Steps }: WorkflowFile, { idOf, userIdOf }: IdsOfFile): WorkflowGraph {
  return {
    Inputs,
    Steps: Steps.map((step) => {
      if (step.Kind === 'Decision') return step;
      if (step.Kind === 'Approval') {
        const { Users, ...rest } = step;
        return { ...rest, UserIds: [...new Set(Users.map(userIdOf))] };
      }
      const { Activity: named, ...rest } = step;
      return { ...rest, ActivityId: idOf(named) };
    }),
  };
}

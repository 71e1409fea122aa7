/** Finds incompatibilities of an activity's version with the checklists and workflows that run it. */
import type { Person } from '#server/base/person.ts';
import { checkExpression } from '#server/calculation/expressions/check-expression.ts';
import type { Database } from '#server/db/database.ts';
import type { ActivityVersion, VersionCatalog } from '#server/versions/version-catalog.ts';
import { DIFFERENT_TYPES, isSameType } from '#shared/rules/checklist-rules.ts';
import { readsOfStep, type ReadSource } from '#shared/rules/workflows/source-reads.ts';
import type { WorkflowGraph, WorkflowStep } from '#shared/rules/workflows/types.ts';
import { validateGraph } from '#shared/rules/workflows/validate-graph.ts';
import { readActivityCatalogue } from './activity-catalogue.ts';
import type { InputsOf } from './checklist-inputs-service.ts';
import type { ChecklistsOfActivity } from './checklists-of-activity-service.ts';
import { findChecklist, listMembers, type MemberRow } from '#server/access/find-checklist.ts';
import { findWorkflowGraph, listMappings } from './checklists-repository.ts';
import { checklistInputs, unmappedInputs } from './checklist-views.ts';

/** Returns sentences about the checklists and workflows that the person may see. */
export type FindWorkflowIncompatibilities = (person: Person, version: ActivityVersion) => Promise<string[]>;

export interface WorkflowIncompatibilitiesDeps {
  database: Pick<Database, 'knex'>;
  checklistsOf: ChecklistsOfActivity;
  inputsOf: InputsOf;
  versions: VersionCatalog;
}

/** Maximum number of checklists that are checked, in order of name. */
const MAX_CHECKED_CHECKLISTS = 50;

export function createWorkflowIncompatibilityFinder(
  deps: WorkflowIncompatibilitiesDeps,
): FindWorkflowIncompatibilities {
  const { database, checklistsOf } = deps;
  const { knex } = database;
  return async (person, version) => {
    const { ActivityId } = version;
    const found: string[] = [];
    for (const { Id, Name } of await checklistsOf(person, ActivityId, MAX_CHECKED_CHECKLISTS)) {
      const [checklist, members] = await Promise.all([findChecklist(knex, Id), listMembers(knex, Id)]);
      if (!checklist) continue;
      const own = members.map((member) =>
        member.Id === ActivityId ? { ...member, Version: version.Version } : member,
      );
      const { WorkflowVersion } = checklist;
      if (WorkflowVersion === null) {
        const issues = await findChecklistIncompatibilities(deps, person, { Id, members: own, ActivityId });
        found.push(...issues.map((issue) => `The checklist '${Name}' cannot be run: ${issue}`));
      } else {
        const graph = await findWorkflowGraph(knex, Id, WorkflowVersion);
        const issues = await findGraphIncompatibilities(deps, person, { graph, members: own, ActivityId });
        found.push(...issues.map((issue) => `The workflow '${Name}' cannot be run: ${issue}`));
      }
    }
    return [...new Set(found)];
  };
}

interface Run {
  /** Activities with the versions that they would run in. */
  members: readonly MemberRow[];
  /** The activity whose version is checked. */
  ActivityId: number;
}

async function findChecklistIncompatibilities(
  { database: { knex }, inputsOf }: WorkflowIncompatibilitiesDeps,
  person: Person,
  { Id, members, ActivityId }: Run & { Id: number },
): Promise<string[]> {
  const [own, mappings] = await Promise.all([inputsOf(person, members), listMappings(knex, Id)]);
  const inputs = checklistInputs(Id, own, mappings);
  const open = unmappedInputs(own, inputs).filter(
    (input) => input.ActivityId === ActivityId && input.PresetValue === null,
  );
  const mixed = inputs.filter(
    ({ ActivityInputs: [first, ...others] }) =>
      [first, ...others].some((input) => input?.ActivityId === ActivityId) &&
      others.some(({ Info }) => !isSameType(Info, first!.Info)),
  );
  return [
    ...open.map(({ Name }) => `the input '${Name}' has not been mapped`),
    ...mixed.map(({ InputName }) => `${DIFFERENT_TYPES}: '${InputName}'`),
  ];
}

async function findGraphIncompatibilities(
  deps: WorkflowIncompatibilitiesDeps,
  person: Person,
  { graph, members, ActivityId }: Run & { graph: WorkflowGraph },
): Promise<string[]> {
  // The check is about versions, so inactive activities are treated as active.
  const active = members.map((member) => ({ ...member, IsActive: true }));
  const problems = validateGraph(graph, await readActivityCatalogue(deps, person, active), undefined, checkExpression);
  return problems.flatMap(({ Step, Message }) => {
    const step = graph.Steps.find(({ Key }) => Key === Step);
    if (!step) return [Message];
    return concerns(graph, step, ActivityId) ? [`${step.Name}: ${Message}`] : [];
  });
}

/** Returns whether a step runs the activity or uses its outputs. */
function concerns(graph: WorkflowGraph, step: WorkflowStep, activityId: number): boolean {
  const runsIt = (one: WorkflowStep | undefined): boolean =>
    one !== undefined && 'ActivityId' in one && one.ActivityId === activityId;
  const takesOfIt = (from: ReadSource): boolean =>
    from.Kind === 'Output' && runsIt(graph.Steps.find(({ Key }) => Key === from.Step));
  return runsIt(step) || readsOfStep(graph, step).some(takesOfIt);
}

/** Returns the graph that a checklist runs: its activities in order, or the workflow that it was edited as. */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import { compileChecklist } from '#shared/rules/workflows/compile-checklist.ts';
import type { WorkflowGraph } from '#shared/rules/workflows/types.ts';
import type { ChecklistStart } from '#shared/contract/checklist-runs.ts';
import type { Input } from '#shared/contract/parameters.ts';
import type { ChecklistInput } from '#shared/contract/checklists.ts';
import { EDITED_AS_WORKFLOW, NOT_MAPPED } from '#shared/rules/checklist-rules.ts';
import type { VisibleChecklist } from '#server/access/checklist-access.ts';
import type { InputsOf } from './checklist-inputs-service.ts';
import { checklistInputs, unmappedInputs } from './checklist-views.ts';
import { findWorkflowGraph, listMappings } from './checklists-repository.ts';

export interface ChecklistGraphs {
  /** Compiles a checklist that was not edited as a workflow. Throws an AppError 409 if inputs are not mapped. */
  compiled(person: Person, visible: VisibleChecklist): Promise<WorkflowGraph>;
  /** Does the same for a new workflow, whether the inputs are mapped or not. */
  draft(person: Person, visible: VisibleChecklist): Promise<WorkflowGraph>;
  /** Returns the graph for a start. Throws an AppError 409 if the checklist no longer is what the caller saw. */
  toStart(
    person: Person,
    visible: VisibleChecklist,
    start: Pick<ChecklistStart, 'WorkflowId' | 'WorkflowVersion'>,
  ): Promise<{ graph: WorkflowGraph; WorkflowVersion: number | null }>;
}

const CHANGED = 'The checklist has been changed since you opened it. Open it again to run the current version';

export function createChecklistGraphs({ knex }: Pick<Database, 'knex'>, inputsOf: InputsOf): ChecklistGraphs {
  const read = async (person: Person, { checklist, activities }: VisibleChecklist) => {
    const [own, mappings] = await Promise.all([inputsOf(person, activities), listMappings(knex, checklist.Id)]);
    return { own, inputs: checklistInputs(checklist.Id, own, mappings) };
  };
  const compiled: ChecklistGraphs['compiled'] = async (person, visible) => {
    const { own, inputs } = await read(person, visible);
    if (unmappedInputs(own, inputs).some(({ PresetValue }) => PresetValue === null)) {
      throw new AppError('notMapped', 409, NOT_MAPPED);
    }
    return graphOf(visible.activities, own, inputs);
  };

  return {
    compiled,
    draft: async (person, visible) => {
      const { own, inputs } = await read(person, visible);
      return graphOf(visible.activities, own, inputs);
    },
    toStart: async (person, visible, { WorkflowId = null, WorkflowVersion = null }) => {
      const { Id, Revision, WorkflowVersion: newest } = visible.checklist;
      if (newest === null) {
        if (WorkflowVersion !== null && WorkflowVersion !== Revision)
          throw new AppError('checklistChanged', 409, CHANGED);
        return { graph: await compiled(person, visible), WorkflowVersion: null };
      }
      if (WorkflowId === null) throw new AppError('isWorkflow', 409, EDITED_AS_WORKFLOW);
      if (WorkflowId !== Id || (WorkflowVersion !== null && WorkflowVersion !== newest)) {
        throw new AppError('checklistChanged', 409, CHANGED);
      }
      return { graph: await findWorkflowGraph(knex, Id, newest), WorkflowVersion: newest };
    },
  };
}

function graphOf(
  activities: VisibleChecklist['activities'],
  own: readonly Input[],
  inputs: readonly ChecklistInput[],
): WorkflowGraph {
  const names = new Map(
    inputs.flatMap(({ InputName, ActivityInputs }) => ActivityInputs.map(({ Id }) => [Id, InputName] as const)),
  );
  return compileChecklist(
    inputs.map(({ InputName }) => InputName),
    activities.map(({ Id: ActivityId, Name }) => ({
      ActivityId,
      Name,
      Inputs: own
        .filter((input) => input.ActivityId === ActivityId && names.has(input.Id))
        .map((input) => ({ Input: input.Name, From: { Kind: 'Input', Name: names.get(input.Id)! } })),
    })),
  );
}

/** Workflows, for people who edit them. Each save creates a new version; versions never change. */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import { checkExpression } from '#server/calculation/expressions/check-expression.ts';
import type { ChecklistGraphs } from '#server/features/checklists/checklist-graphs-service.ts';
import type { BodyOf } from '#shared/contract/endpoint.ts';
import type { saveWorkflow, WorkflowProblem, WorkflowGraphData } from '#shared/contract/workflows.ts';
import type { WorkflowGraph } from '#shared/rules/workflows/types.ts';
import { validateGraph, type GraphProblem } from '#shared/rules/workflows/validate-graph.ts';
import { readApprovers, readCatalogue, type CatalogueDeps } from './workflow-catalogue.ts';
import { createWorkflowVersions, type SavedWorkflow } from './workflow-versions.ts';

export interface WorkflowEditor {
  /** Creates the first version of a checklist. If it is already a workflow, returns the newest version. */
  editAsWorkflow(person: Person, checklistId: number): Promise<SavedWorkflow>;
  save(person: Person, body: BodyOf<typeof saveWorkflow>): Promise<SavedWorkflow>;
  /** @param id 0 for a workflow that was never saved */
  check(person: Person, id: number, graph: WorkflowGraphData): Promise<WorkflowProblem[]>;
}

export function createWorkflowEditor(deps: CatalogueDeps & { graphs: ChecklistGraphs }): WorkflowEditor {
  const { database, access, graphs } = deps;
  const { knex } = database;
  const versions = createWorkflowVersions(deps);

  return {
    editAsWorkflow: async (person, checklistId) => {
      const visible = await access.requireEdit(knex, person, checklistId);
      const { WorkflowVersion } = visible.checklist;
      if (WorkflowVersion !== null) return { Id: checklistId, Version: WorkflowVersion };
      const Graph = await graphs.compiled(person, visible);
      return versions.add(person, {
        Id: checklistId,
        Version: null,
        Graph,
        ChangeDescription: 'Created from the checklist',
      });
    },
    save: async (person, { Id, Version, Graph, ChangeDescription }) => {
      const { activities, CanEdit } = await versions.require(person, Id);
      if (!CanEdit) throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
      await requireValid(deps, person, Graph, activities);
      return versions.add(person, { Id, Version, Graph, ChangeDescription: ChangeDescription?.trim() ?? '' });
    },
    check: async (person, id, graph) => {
      const before = id === 0 ? [] : (await access.requireEdit(knex, person, id)).activities;
      return problemsOf(deps, person, graph, before);
    },
  };
}

/** Returns what would prevent saving a graph. @param before activities that it may keep without the person seeing them */
export async function problemsOf(
  deps: CatalogueDeps,
  person: Person,
  graph: WorkflowGraph,
  before: readonly { Id: number }[],
): Promise<GraphProblem[]> {
  const catalogue = await readCatalogue(deps, person, graph, before);
  return validateGraph(graph, catalogue, await readApprovers(deps.database.knex, graph), checkExpression);
}

/** Throws an AppError 400 with all problems, by step key. */
export async function requireValid(
  deps: CatalogueDeps,
  person: Person,
  graph: WorkflowGraph,
  before: readonly { Id: number }[],
): Promise<void> {
  const problems = await problemsOf(deps, person, graph, before);
  const [first] = problems;
  if (!first) return;
  const byStep = Map.groupBy(problems, ({ Step }) => Step ?? '');
  const modelState = Object.fromEntries([...byStep].map(([step, of]) => [step, of.map(({ Message }) => Message)]));
  const step = graph.Steps.find(({ Key }) => Key === first.Step);
  throw new AppError('workflowInvalid', 400, step ? `${step.Name}: ${first.Message}` : first.Message, { modelState });
}

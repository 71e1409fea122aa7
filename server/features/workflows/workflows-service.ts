/** Workflows with their versions, for people who view them. */
import { fullName } from '#server/base/full-name.ts';
import type { Person } from '#server/base/person.ts';
import { checkExpression } from '#server/calculation/expressions/check-expression.ts';
import type { ChecklistGraphs } from '#server/features/checklists/checklist-graphs-service.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import type { ResultOf } from '#shared/contract/endpoint.ts';
import type { WorkflowCopy } from '#shared/contract/new-workflows.ts';
import type {
  Workflow,
  WorkflowChange,
  WorkflowFormat,
  WorkflowGraphData,
  workflowVersions,
} from '#shared/contract/workflows.ts';
import { writeManifest } from '#shared/manifests/write-manifest.ts';
import { compareGraphs } from '#shared/rules/workflows/compare-graphs.ts';
import type { WorkflowGraph } from '#shared/rules/workflows/types.ts';
import { validateGraph } from '#shared/rules/workflows/validate-graph.ts';
import { workflowActivity } from '#shared/rules/workflows/workflow-activity.ts';
import { activitiesOf, readApprovers, readCatalogue, type CatalogueDeps } from './workflow-catalogue.ts';
import { readFileOfGraph } from './workflow-export.ts';
import { manifestOfFile } from './workflow-manifest.ts';
import { createWorkflowVersions } from './workflow-versions.ts';
import { activityNames, listVersions, type WorkflowVersionRow } from './workflows-repository.ts';

export interface WorkflowsService {
  /** @param version defaults to the newest */
  details(person: Person, id: number, version?: number): Promise<Workflow>;
  /** Returns the newest version of a workflow, or a checklist as a workflow, to start a new workflow from. */
  copy(person: Person, id: number): Promise<WorkflowCopy>;
  versions(person: Person, id: number): Promise<ResultOf<typeof workflowVersions>>;
  compare(person: Person, id: number, version: number, other: number): Promise<WorkflowChange[]>;
  /** Returns a download token. */
  export(person: Person, id: number, version: number, format: WorkflowFormat): Promise<string>;
}

const VERSIONS_SHOWN = 1000;

export function createWorkflowsService(
  deps: CatalogueDeps & { files: FilesService; graphs: ChecklistGraphs },
): WorkflowsService {
  const { knex } = deps.database;
  const stored = createWorkflowVersions(deps);

  return {
    details: async (person, id, version) => {
      const workflow = await stored.require(person, id);
      const { checklist, newest, activities, CanEdit, CanRun } = workflow;
      const row = await stored.read(person, workflow, version ?? newest);
      return {
        ...(await checkedGraph(deps, person, row.graph, activities)),
        Id: id,
        Name: checklist.Name,
        Schema: checklist.Schema,
        Version: row.Version,
        NewestVersion: newest,
        ChangeDescription: row.ChangeDescription,
        Modified: row.Modified.toISOString(),
        UserFullName: fullName(row),
        CanEdit,
        CanRun,
      };
    },
    copy: async (person, id) => {
      const visible = await deps.access.require(knex, person, id);
      const { Name, Description, Group, Schema, WorkflowVersion } = visible.checklist;
      const graph =
        WorkflowVersion === null
          ? await deps.graphs.draft(person, visible)
          : (await stored.read(person, visible, WorkflowVersion)).graph;
      await stored.requireSteps(person, visible, activitiesOf(graph));
      // A new workflow may contain only activities that the person sees, even if the original contains others.
      return { Name, Description, Group, Schema, ...(await checkedGraph(deps, person, graph, [])) };
    },
    versions: async (person, id) => {
      const { checklist } = await stored.require(person, id);
      const rows = await listVersions(knex, id, VERSIONS_SHOWN);
      return { Name: checklist.Name, Versions: rows.map(versionItem) };
    },
    compare: async (person, id, version, other) => {
      const workflow = await stored.require(person, id);
      const read = (one: number) => stored.read(person, workflow, one);
      const [one, two] = await Promise.all([read(version), read(other)]);
      const names = await activityNames(knex, [one.graph, two.graph].flatMap(activitiesOf));
      return compareGraphs(one.graph, two.graph, (activityId) => names.get(activityId)?.Name ?? String(activityId));
    },
    export: async (person, id, version, format) => {
      const workflow = await stored.require(person, id);
      const { graph } = await stored.read(person, workflow, version);
      const file = await readFileOfGraph(knex, workflow.checklist, graph);
      const { Name, Schema } = workflow.checklist;
      const text = format === 'yaml' ? writeManifest(manifestOfFile(file, Schema)) : JSON.stringify(file, null, 2);
      return deps.files.tokenForNew(person, `${fileNameOf(Name, version)}.${format}`, Buffer.from(text));
    },
  };
}

const fileNameOf = (name: string, version: number): string =>
  `${name.replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, '_')} ${version}.workflow`;

/** @param activities those that the person may keep without seeing them */
async function checkedGraph(
  deps: CatalogueDeps,
  person: Person,
  graph: WorkflowGraph,
  activities: readonly { Id: number }[],
): Promise<Pick<WorkflowCopy, 'Graph' | 'Faults' | 'Activities'>> {
  const catalogue = await readCatalogue(deps, person, graph, activities);
  const Faults = validateGraph(graph, catalogue, await readApprovers(deps.database.knex, graph), checkExpression);
  return { Graph: graph as WorkflowGraphData, Faults, Activities: [...catalogue.values()].map(workflowActivity) };
}

function versionItem(row: WorkflowVersionRow): ResultOf<typeof workflowVersions>['Versions'][number] {
  const { Version, ChangeDescription } = row;
  const Steps = (JSON.parse(row.Graph) as WorkflowGraph).Steps.length;
  return { Version, ChangeDescription, Modified: row.Modified.toISOString(), UserFullName: fullName(row), Steps };
}

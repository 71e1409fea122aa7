/** Compares workflows with manifests, and makes them what their manifests say. */
import type { Knex } from 'knex';
import { AppError, type ModelState } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { VisibleChecklist } from '#server/access/checklist-access.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import { requireSchema } from '#server/features/checklists/checklist-editor-service.ts';
import { changeChecklistFields, lockedChecklist } from '#server/features/checklists/checklist-workflow-service.ts';
import type { BodyOf, ResultOf } from '#shared/contract/endpoint.ts';
import type { applyWorkflow, WorkflowPlan } from '#shared/contract/workflow-manifests.ts';
import { manifestChanges, type ManifestChange } from '#shared/manifests/manifest-changes.ts';
import type { WorkflowManifest } from '#shared/manifests/workflow-manifest.ts';
import type { WorkflowGraph } from '#shared/rules/workflows/types.ts';
import { insertNewWorkflow, storeVersion, workflowFields } from './new-workflows-service.ts';
import type { CatalogueDeps } from './workflow-catalogue.ts';
import { problemsOf } from './workflow-editor.ts';
import { readFileOfGraph } from './workflow-export.ts';
import { fileOfManifest, manifestOfFile } from './workflow-manifest.ts';
import { resolveFile } from './workflow-names.ts';
import { createWorkflowVersions } from './workflow-versions.ts';
import { idsOfChecklists, lockSchema } from './workflows-repository.ts';

export interface WorkflowManifests {
  /** Throws an AppError 400 whose modelState has the problems by JSON pointer into the manifest. */
  plan(person: Person, manifest: WorkflowManifest): Promise<WorkflowPlan>;
  /** Applies all of a manifest or nothing. Throws like plan, and an AppError 409 if somebody saves at the same time. */
  apply(person: Person, body: BodyOf<typeof applyWorkflow>): Promise<ResultOf<typeof applyWorkflow>>;
  read(person: Person, id: number, version: number): Promise<WorkflowManifest>;
}

type Deps = CatalogueDeps & { rights: RightsService };
type Fields = ReturnType<typeof workflowFields>;

/** What a manifest means in this portal. */
interface Wanted {
  fields: Fields;
  graph: WorkflowGraph;
  existing: { visible: VisibleChecklist; version: number; manifest: WorkflowManifest } | null;
  action: WorkflowPlan['Action'];
  changes: ManifestChange[];
}

const invalid = (pointer: string, message: string): AppError => invalidAt({ [pointer]: [message] }, message);
const invalidAt = (modelState: ModelState, message: string): AppError =>
  new AppError('manifestInvalid', 400, message, { modelState });

const changedMeanwhile = (): AppError =>
  new AppError(
    'workflowChanged',
    409,
    'Somebody saved this workflow at the same moment, so nothing was changed. Compare and apply the file again.',
  );

export function createWorkflowManifests(deps: Deps): WorkflowManifests {
  const { knex } = deps.database;
  const versions = createWorkflowVersions(deps);

  async function read(person: Person, id: number, version?: number) {
    const visible = await versions.require(person, id);
    const { graph, Version } = await versions.read(person, visible, version ?? visible.newest);
    const { Name, Description, Group, Schema } = visible.checklist;
    const file = await readFileOfGraph(knex, { Name, Description, Group }, graph);
    return { visible, version: Version, manifest: manifestOfFile(file, Schema) };
  }

  async function findWanted(person: Person, manifest: WorkflowManifest): Promise<Wanted> {
    const { schema } = manifest;
    await requireSchema(deps, person, schema);
    const file = fileOfManifest(manifest);
    const fields = workflowFields(file);
    const id = await existingWorkflow(deps, { Schema: schema, Name: fields.Name });
    const existing = id === null ? null : await read(person, id);
    const graph = await requireGraph(deps, person, manifest, existing?.visible.activities ?? []);
    const wanted = manifestOfFile(await readFileOfGraph(knex, fields, graph), schema);
    const changes = existing ? manifestChanges(existing.manifest, wanted) : [];
    const action = !existing ? 'Create' : changes.length > 0 ? 'Change' : 'None';
    return { fields, graph, existing, action, changes };
  }

  return {
    plan: async (person, manifest) => {
      const { existing, action, changes } = await findWanted(person, manifest);
      return { Id: existing?.visible.checklist.Id ?? null, Action: action, Changes: changes };
    },
    apply: async (person, { Manifest, ChangeDescription }) => {
      const wanted = await findWanted(person, Manifest);
      const { existing, action, changes } = wanted;
      const description = ChangeDescription?.trim() ?? '';
      if (existing && action === 'None') {
        return { Id: existing.visible.checklist.Id, Version: existing.version, Action: action, Changes: changes };
      }
      const saved = await inTransaction(knex, (trx) =>
        existing
          ? change(deps, trx, person, { ...wanted, existing, description })
          : create(deps, trx, person, { ...wanted, schema: Manifest.schema, description }),
      );
      return { ...saved, Action: action, Changes: changes };
    },
    read: async (person, id, version) => (await read(person, id, version)).manifest,
  };
}

/** Returns the id of the workflow with a schema and name, null if there is none. */
async function existingWorkflow(
  { database }: Deps,
  { Schema, Name }: { Schema: string; Name: string },
): Promise<number | null> {
  const found = await idsOfChecklists(database.knex, Schema, Name);
  const [first] = found;
  if (found.length > 1) {
    throw invalid(
      '/name',
      `The schema ${Schema} has ${found.length} workflows or checklists named '${Name}'. Rename all but one.`,
    );
  }
  if (first?.WorkflowVersion === null) {
    throw invalid(
      '/name',
      `'${Name}' is a checklist. Choose 'Edit as workflow' in its menu first, or use another name.`,
    );
  }
  return first?.Id ?? null;
}

/** Returns the graph of a manifest, all of whose names exist and which could be saved. */
async function requireGraph(
  deps: Deps,
  person: Person,
  manifest: WorkflowManifest,
  before: readonly { Id: number }[],
): Promise<WorkflowGraph> {
  const { graph, missing } = await resolveFile(deps.database.knex, fileOfManifest(manifest));
  if (missing.length > 0) {
    const problems = missing.map(({ step, field, item, message }) => ({
      pointer: `/steps/${step}/${field}${item === null ? '' : `/${item}`}`,
      message,
    }));
    throw invalidAt(stateOf(problems), missing[0]!.message);
  }
  const problems = await problemsOf(deps, person, graph, before);
  const [first] = problems;
  if (!first) return graph;
  const at = problems.map(({ Step, Message }) => ({ pointer: pointerOf(manifest, Step, Message), message: Message }));
  throw invalidAt(stateOf(at), first.Message);
}

/**
 * Returns where a problem is: the input or value whose name or source the message quotes, otherwise its step, otherwise the whole
 * manifest.
 */
function pointerOf({ inputs, steps }: WorkflowManifest, stepKey: string | null, message: string): string {
  const quoted = [...message.matchAll(/'([^']+)'/g)].map(([, name]) => name);
  const indexIn = (list: readonly { name: string }[] = []): number => {
    const named = list.findIndex(({ name }) => quoted.includes(name));
    if (named !== -1) return named;
    return list.findIndex((item) => quoted.some((name) => JSON.stringify(item).includes(JSON.stringify(name))));
  };
  const index = steps.findIndex(({ key }) => key === stepKey);
  const step = steps[index];
  if (!step) return indexIn(inputs) === -1 ? '' : `/inputs/${indexIn(inputs)}`;
  const field = 'activity' in step ? 'inputs' : 'values';
  const item = indexIn('activity' in step ? step.inputs : step.values);
  return item === -1 ? `/steps/${index}` : `/steps/${index}/${field}/${item}`;
}

function stateOf(problems: readonly { pointer: string; message: string }[]): ModelState {
  const byPointer = Map.groupBy(problems, ({ pointer }) => pointer);
  return Object.fromEntries([...byPointer].map(([pointer, of]) => [pointer, of.map(({ message }) => message)]));
}

async function create(
  { database }: Deps,
  trx: Knex.Transaction,
  person: Person,
  { fields, graph, schema, description }: Pick<Wanted, 'fields' | 'graph'> & { schema: string; description: string },
): Promise<{ Id: number; Version: number }> {
  // Names are not unique in the database: the lock keeps two applies from creating the same workflow twice.
  await lockSchema(trx, schema);
  if ((await idsOfChecklists(trx, schema, fields.Name)).length > 0) throw changedMeanwhile();
  const workflow = {
    fields: { ...fields, Schema: schema, UniqueId: null },
    Graph: graph,
    ChangeDescription: description,
  };
  return insertNewWorkflow(database, trx, person, workflow);
}

type Change = Pick<Wanted, 'fields' | 'graph' | 'changes'> & {
  existing: NonNullable<Wanted['existing']>;
  description: string;
};

async function change(
  { database: { dialect } }: Deps,
  trx: Knex.Transaction,
  person: Person,
  { existing: { visible, version }, fields, graph, changes, description }: Change,
): Promise<{ Id: number; Version: number }> {
  const { Id, Revision, Order } = visible.checklist;
  const locked = await lockedChecklist(trx, Id);
  if (locked.Revision !== Revision || locked.WorkflowVersion !== version) throw changedMeanwhile();
  const now = dialect.now(trx);
  const isAbout = ({ Path }: ManifestChange): boolean => ['name', 'description', 'group'].includes(Path);
  if (changes.some(isAbout)) await changeChecklistFields(trx, Id, { ...fields, Order, Modified: now });
  if (changes.every(isAbout)) return { Id, Version: version };
  const next = { Id, Version: version + 1, Graph: graph, ChangeDescription: description };
  return storeVersion(trx, person, next, now);
}

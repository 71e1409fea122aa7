/** Compares manifests with a portal, and applies them. */
import { CallFailure, type Client } from '#shared/client/client.ts';
import { applyWorkflow, planWorkflow } from '#shared/contract/workflow-manifests.ts';
import type { Manifest } from '#shared/manifests/check-manifest.ts';
import { ExitCode } from '../cli-error.ts';
import { planActivity } from './activity-kind.ts';
import { requireNoProblems, type FileProblem, type ManifestFile } from './manifest-files.ts';
import type { ManifestPlan } from './manifest-plan.ts';
import { planOwned } from './owned-kinds.ts';
import { ManifestRefusal, openPortal, type IsPlanned, type Portal } from './portal-names.ts';

export interface PlannedFile extends ManifestFile {
  plan: ManifestPlan;
}

/** Compares all files with the portal. Throws CliError that lists the problems of all of them. */
export async function planFiles(client: Client, files: readonly ManifestFile[]): Promise<PlannedFile[]> {
  const portal = await openPortal(client);
  const isPlanned: IsPlanned = ({ schema, name }) =>
    files.some(({ manifest: one }) => one.kind === 'Workflow' && one.schema === schema && one.name === name);
  const planned: PlannedFile[] = [];
  const problems: FileProblem[] = [];
  for (const file of files) {
    try {
      const { Action, Changes } = await planOne(portal, file.manifest, isPlanned);
      planned.push({ ...file, plan: { Action, Changes } });
    } catch (error) {
      problems.push(...problemsOf(error, file));
    }
  }
  requireNoProblems(problems, ExitCode.Refused);
  return planned;
}

/**
 * Returns a function that applies one file by one call of the portal, which does all or nothing. It returns what it
 * changed, which may be less than was planned if somebody else was faster. Throws CliError that names the file and line.
 */
export function createApplier(client: Client, change: string): (file: ManifestFile) => Promise<ManifestPlan> {
  let portal: Portal | null = null;

  async function apply({ manifest }: ManifestFile): Promise<ManifestPlan> {
    if (manifest.kind === 'Workflow') {
      // What it creates has an id only afterwards.
      portal = null;
      return client.call(applyWorkflow, { body: { Manifest: manifest, ChangeDescription: change } });
    }
    portal ??= await openPortal(client);
    const { Action, Changes, save } = await planOne(portal, manifest, () => false);
    if (Action !== 'None') await save?.();
    return { Action, Changes };
  }

  return async (file) => {
    try {
      return await apply(file);
    } catch (error) {
      requireNoProblems(problemsOf(error, file), ExitCode.Refused, '');
      throw error;
    }
  };
}

async function planOne(
  portal: Portal,
  manifest: Manifest,
  isPlanned: IsPlanned,
): Promise<ManifestPlan & { save?: (() => Promise<void>) | null }> {
  switch (manifest.kind) {
    case 'Workflow':
      return portal.client.call(planWorkflow, { body: { Manifest: manifest } });
    case 'ActivitySettings':
      return planActivity(portal, manifest);
    default:
      return planOwned(portal, manifest, isPlanned);
  }
}

/** Returns the problems that the portal found in a file. Throws what is not about the file. */
function problemsOf(error: unknown, { path, lineOf }: ManifestFile): FileProblem[] {
  if (error instanceof ManifestRefusal) {
    return error.problems.map(({ pointer, message }) => ({ path, line: lineOf(pointer), message }));
  }
  if (!(error instanceof CallFailure) || error.status === 0 || error.status === 401) throw error;
  const found = Object.entries(error.modelState).flatMap(([pointer, messages]) =>
    messages.map((message) => ({ path, line: lineOf(pointer), message })),
  );
  return found.length > 0 ? found : [{ path, line: 1, message: error.message }];
}

/** Compares manifests with a portal, and applies them. */
import { CallFailure, type Client } from '#shared/client/client.ts';
import { applyWorkflow, planWorkflow } from '#shared/contract/workflow-manifests.ts';
import type { Manifest, ManifestKind } from '#shared/manifests/check-manifest.ts';
import type { ManifestChange } from '#shared/manifests/manifest-changes.ts';
import { ExitCode } from '../cli-error.ts';
import { requireNoProblems, type FileProblem, type ManifestFile } from './manifest-files.ts';

export interface ManifestPlan {
  Action: 'Create' | 'Change' | 'None';
  Changes: ManifestChange[];
}

/** How manifests of a kind reach a portal. Each apply is one call, so it does all or nothing. */
interface Handler<M> {
  plan: (client: Client, manifest: M) => Promise<ManifestPlan>;
  /** Returns what it did, which may be less than was planned if somebody else was faster. */
  apply: (client: Client, manifest: M, change: string) => Promise<ManifestPlan>;
}

const HANDLERS: { [K in ManifestKind]: Handler<Extract<Manifest, { kind: K }>> } = {
  Workflow: {
    plan: (client, Manifest) => client.call(planWorkflow, { body: { Manifest } }),
    apply: (client, Manifest, ChangeDescription) =>
      client.call(applyWorkflow, { body: { Manifest, ChangeDescription } }),
  },
};

export interface PlannedFile extends ManifestFile {
  plan: ManifestPlan;
}

/** Compares all files with the portal. Throws CliError that lists the problems of all of them. */
export async function planFiles(client: Client, files: readonly ManifestFile[]): Promise<PlannedFile[]> {
  const planned: PlannedFile[] = [];
  const problems: FileProblem[] = [];
  for (const file of files) {
    try {
      planned.push({ ...file, plan: await HANDLERS[file.manifest.kind].plan(client, file.manifest) });
    } catch (error) {
      problems.push(...problemsOf(error, file));
    }
  }
  requireNoProblems(problems, ExitCode.Refused);
  return planned;
}

/** Applies one file. Throws CliError that names the file and the line. */
export async function applyFile(client: Client, file: ManifestFile, change: string): Promise<ManifestPlan> {
  try {
    return await HANDLERS[file.manifest.kind].apply(client, file.manifest, change);
  } catch (error) {
    requireNoProblems(problemsOf(error, file), ExitCode.Refused);
    throw error;
  }
}

/** Returns the problems that the portal found in a file. Throws what is not about the file. */
function problemsOf(error: unknown, { path, lineOf }: ManifestFile): FileProblem[] {
  if (!(error instanceof CallFailure) || error.status === 0 || error.status === 401) throw error;
  const found = Object.entries(error.modelState).flatMap(([pointer, messages]) =>
    messages.map((message) => ({ path, line: lineOf(pointer), message })),
  );
  return found.length > 0 ? found : [{ path, line: 1, message: error.message }];
}

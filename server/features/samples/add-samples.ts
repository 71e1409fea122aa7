/** Adds the samples of a new portal. */
import type { Log } from '#server/base/log.ts';
import type { Person } from '#server/base/person.ts';
import { publishProcedures, type SampleProceduresDeps } from './publish-procedures.ts';
import { publishSamples, type SamplesDeps } from './publish-samples.ts';
import { publishTableViews, type SampleTableViewsDeps } from './publish-table-views.ts';
import { publishWorkflow, type SampleWorkflowDeps } from './publish-workflow.ts';
import { SAMPLE_CONNECTION } from './sample-connection.ts';

interface Publishing {
  log: Log;
  findAdministrator(): Promise<Person | null>;
}

/** Adds the samples that show the sample database, once it exists. */
export async function addDatabaseSamples(
  deps: Publishing & SampleTableViewsDeps & SampleProceduresDeps,
  signal: AbortSignal,
): Promise<void> {
  const person = await deps.findAdministrator();
  if (!person) return;
  const views = await publishTableViews(deps, { person, connection: SAMPLE_CONNECTION, signal });
  const activities = await publishProcedures(deps, person, signal);
  if (views.length + activities.length > 0) {
    deps.log.info({ views, activities }, 'published the activities and views of the sample database');
  }
}

/** Adds the samples as if the administrator had uploaded them. If that fails, everything else still works. */
export async function addSamples(
  deps: Publishing & Omit<SamplesDeps, 'files'> & SampleWorkflowDeps & { fileStore: SamplesDeps['files'] },
): Promise<void> {
  const administrator = await deps.findAdministrator();
  if (!administrator) return;
  const { database, publishing, fileStore: files, log } = deps;
  try {
    const published = await publishSamples({ database, publishing, files, log }, administrator);
    if (published.length > 0) log.info({ activities: published }, 'published the sample activities');
    const workflow = await publishWorkflow(deps, administrator);
    if (workflow !== null) log.info({ workflow }, 'created the sample workflow');
  } catch (err) {
    log.warn({ err }, 'could not publish the sample activities');
  }
}

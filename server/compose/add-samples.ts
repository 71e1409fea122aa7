/** Adds the samples of a new portal. */
import type { Logger } from 'pino';
import type { Database } from '#server/db/database.ts';
import { publishWorkflow } from '#server/features/samples/publish-workflow.ts';
import { personOf } from '#server/features/schedules/schedule-starter.ts';
import { publishSamples, type SamplesDeps } from '#server/features/samples/publish-samples.ts';
import { publishProcedures } from '#server/features/samples/publish-procedures.ts';
import { publishTableViews } from '#server/features/samples/publish-table-views.ts';
import { ADMINISTRATOR_NAME } from '#server/features/users/administrator.ts';
import type { App } from './app.ts';
import { SAMPLE_CONNECTION } from '#server/features/samples/sample-connection.ts';

/** Adds the samples that show the sample database, once it exists. */
export async function addDatabaseSamples(
  database: Database,
  { users, portal }: App,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const person = await users.findByName(ADMINISTRATOR_NAME);
  if (!person) return;
  const views = await publishTableViews({ database, ...portal }, { person, connection: SAMPLE_CONNECTION, signal });
  const activities = await publishProcedures({ database, ...portal }, person, signal);
  if (views.length + activities.length > 0) log.info({ views, activities }, 'published what shows the sample database');
}

/** Adds the samples as if the administrator had uploaded them. If that fails, everything else still works. */
export async function addSamples(deps: SamplesDeps, { users, portal }: App): Promise<void> {
  const administrator = await users.findByName(ADMINISTRATOR_NAME);
  if (!administrator) return;
  try {
    const published = await publishSamples(deps, administrator);
    if (published.length > 0) deps.log.info({ activities: published }, 'published the sample activities');
    const workflow = await publishWorkflow({ ...deps, ...portal }, personOf(administrator));
    if (workflow !== null) deps.log.info({ workflow }, 'made the sample workflow');
  } catch (err) {
    deps.log.warn({ err }, 'the sample activities could not be published');
  }
}

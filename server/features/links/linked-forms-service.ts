/** Forms that were opened through a link. */
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { RunAccess } from '#server/access/run-access.ts';
import type { Person } from '#server/base/person.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { linkedInputs } from './linked-inputs.ts';
import { outputsOfRun } from './linked-run.ts';
import type { LinksService } from './links-service.ts';

export interface LinkedForm {
  inputsOf(inputs: readonly Input[]): Input[];
  /** Ids of the files that the run supplies. */
  files: ReadonlySet<string>;
}

/**
 * Returns how a link changes the form of its target activity. Throws an AppError 404 if the person may not follow the
 * link or see its source run, or if the link leads elsewhere.
 */
export type LinkedForms = (
  person: Person,
  linkId: number,
  of: { ActivityId: number; ActivityRunId?: number | null },
) => Promise<LinkedForm>;

export function createLinkedForms(database: Database, links: LinksService, runAccess: RunAccess): LinkedForms {
  return async (person, linkId, { ActivityId, ActivityRunId }) => {
    const { link, mappings } = await links.follow(person, linkId);
    if (link.LinkedActivityId !== ActivityId) throw new AppError('linkNotFound', 404, 'There is no such linkage');
    const source = ActivityRunId ? { runId: ActivityRunId, activityId: link.ActivityId } : null;
    const outputs = source ? await outputsOfRun(database, runAccess, person, source) : new Map<number, never>();
    const files = [...outputs.values()].flatMap((value) => value.files.map(({ FileId }) => FileId));
    return { inputsOf: (inputs) => linkedInputs(inputs, mappings), files: new Set(files) };
  };
}

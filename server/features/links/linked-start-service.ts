/** Starts linked runs: what the finished run gave, with what the person may change of it. */
import { AppError, type ModelState } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { RunAccess } from '#server/features/runs/run-access.ts';
import type { StartService } from '#server/features/runs/start-service.ts';
import type { Person } from '#server/base/person.ts';
import { decodeInput, encodeInput, InputShapeError } from '#shared/codecs/input-form.ts';
import { isLocked, linkedFormInput, withLockedCells, type OutputValue } from '#shared/codecs/linked-values.ts';
import type { LinkMapping, OutputTransform, StartLinkBody } from '#shared/contract/links.ts';
import type { Input, RunInputValue } from '#shared/contract/parameters.ts';
import { FORM_ISSUE } from '#shared/rules/input-rules.ts';
import { linkedInputs } from './linked-inputs.ts';
import { outputsOfRun } from './linked-run.ts';
import type { LinksService } from './links-service.ts';

export interface LinkedStartService {
  /** Answers the Id of the run. */
  start(person: Person, body: StartLinkBody): Promise<number>;
}

export interface LinkedStartDeps {
  database: Database;
  links: LinksService;
  runAccess: RunAccess;
  starts: StartService;
}

export function createLinkedStartService({ database, links, runAccess, starts }: LinkedStartDeps): LinkedStartService {
  return {
    start: async (person, { ActivityLinkId, ActivityRunId, UniqueId = null, OutputTransforms, Inputs }) => {
      const { link, mappings, target } = await links.follow(person, ActivityLinkId);
      const source = { runId: ActivityRunId, activityId: link.ActivityId };
      const outputs = await outputsOfRun(database, runAccess, person, source);
      const { Id: ActivityId, Version: ActivityVersion } = target.activity;
      const given = [...outputs.values()].flatMap(({ files }) => files.map(({ FileId }) => FileId));
      const { Id } = await starts.start(
        person,
        { ActivityId, ActivityVersion, UniqueId, Inputs },
        {
          refuseWhilePending: true,
          origin: { ActivityLinkId, SourceRunId: ActivityRunId },
          givenFiles: new Set(given),
          prepare: (inputs) => {
            const open = linkedInputs(inputs, mappings);
            return { inputs: open, values: linkedValues(open, { mappings, outputs, OutputTransforms }, Inputs) };
          },
        },
      );
      return Id;
    },
  };
}

interface Given {
  mappings: readonly LinkMapping[];
  outputs: ReadonlyMap<number, OutputValue>;
  OutputTransforms: readonly OutputTransform[];
}

/** All that is sent, with the run's values where nobody may change them, or nobody did. */
function linkedValues(inputs: readonly Input[], given: Given, sent: readonly RunInputValue[]): RunInputValue[] {
  const modelState: ModelState = {};
  const linked = inputs.filter(({ ReadOnly }) => ReadOnly !== undefined);
  const isLinked = new Set(linked.map(({ Id }) => Id));
  const values = sent.filter(({ ActivityParameterId }) => !isLinked.has(ActivityParameterId));
  for (const input of linked) {
    try {
      values.push(...linkedValue(input, given, sent));
    } catch (error) {
      if (!(error instanceof InputShapeError)) throw error;
      modelState[input.Name] = [error.message];
    }
  }
  if (Object.keys(modelState).length > 0) throw new AppError('inputsInvalid', 400, FORM_ISSUE, { modelState });
  return values;
}

function linkedValue(input: Input, given: Given, sent: readonly RunInputValue[]): RunInputValue[] {
  const { source } = given.mappings.find(({ target }) => target === input.Id)!;
  const output = given.outputs.get(source) ?? { json: null, files: [] };
  const entries = sent.filter(({ ActivityParameterId }) => ActivityParameterId === input.Id);
  const isTheirs = entries.length > 0 && !isLocked(input) && input.ReadOnly!.every((one) => !one);
  // What the run gave does not matter where all of it may be replaced, and was.
  if (isTheirs) return entries;
  const transform = given.OutputTransforms.find(({ ActivityParameterId }) => ActivityParameterId === source);
  const form = linkedFormInput(input, output, transform?.FilteredRowIndices ?? null);
  const changed = entries.length > 0 ? withLockedCells(input, form, decodeInput(input, entries)) : form;
  return encodeInput(input, changed);
}

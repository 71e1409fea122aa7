/** Starts linked runs with the values of the finished run, and the person's changes to them. */
import { AppError, createModelState } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { RunAccess } from '#server/access/run-access.ts';
import type { RunOfForm, StartService } from '#server/features/runs/start-service.ts';
import type { Person } from '#server/base/person.ts';
import { decodeInput, encodeInput, InputShapeError, refuseRounded } from '#shared/codecs/input-form.ts';
import { isLocked, linkedFormInput, withLockedCells, type OutputValue } from '#shared/codecs/linked-values.ts';
import type { LinkMapping, OutputTransform, StartLinkBody } from '#shared/contract/links.ts';
import type { Input, RunInputValue } from '#shared/contract/parameters.ts';
import { checkInput, FORM_ISSUE } from '#shared/rules/input-rules.ts';
import { issueMessages } from '#shared/rules/issue-messages.ts';
import { linkedInputs } from './linked-inputs.ts';
import { outputsOfRun } from './linked-run.ts';
import type { LinksService } from './links-service.ts';

export interface LinkedStartService {
  /** Returns the id of the run. */
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
    start: async (person, { ActivityLinkId, ActivityRunId, UniqueId = null, ...body }) => {
      // Checked before the link is read: even if the link was changed or deleted since, the run exists.
      const before = await starts.startedBefore(person, UniqueId);
      if (before) return idOfLinked(before, { ActivityLinkId, SourceRunId: ActivityRunId });
      const { link, mappings, target } = await links.follow(person, ActivityLinkId);
      const Inputs = body.Inputs ?? [];
      const OutputTransforms = body.OutputTransforms ?? [];
      const source = { runId: ActivityRunId, activityId: link.ActivityId };
      const outputs = await outputsOfRun(database, runAccess, person, source);
      const { Id: ActivityId, Version } = target.activity;
      const { AcceptOutdatedVersion } = body;
      const outputFileIds = [...outputs.values()].flatMap(({ files }) => files.map(({ FileId }) => FileId));
      const { Id } = await starts.start(
        person,
        { ActivityId, ActivityVersion: body.ActivityVersion ?? Version, AcceptOutdatedVersion, UniqueId, Inputs },
        {
          refuseWhilePending: true,
          origin: { ActivityLinkId, SourceRunId: ActivityRunId },
          allowedFiles: new Set(outputFileIds),
          prepare: (inputs) => {
            requireTargets(inputs, mappings);
            const open = linkedInputs(inputs, mappings);
            const rowsOf = chosenRows(OutputTransforms, mappings, outputs);
            return { inputs: open, values: linkedValues(open, { mappings, outputs, rowsOf }, Inputs) };
          },
        },
      );
      return Id;
    },
  };
}

function idOfLinked(run: RunOfForm, from: { ActivityLinkId: number; SourceRunId: number }): number {
  if (run.ActivityLinkId === from.ActivityLinkId && run.SourceRunId === from.SourceRunId) return run.Id;
  throw new AppError('uniqueIdTaken', 409, 'The UniqueId belongs to another start');
}

interface LinkedOutputs {
  mappings: readonly LinkMapping[];
  outputs: ReadonlyMap<number, OutputValue>;
  /** Chosen rows by output id. An output without an entry supplies all its rows. */
  rowsOf: ReadonlyMap<number, readonly number[] | null>;
}

/** A link that no longer supplies all its values must not start a run as if it did. */
function requireTargets(inputs: readonly Input[], mappings: readonly LinkMapping[]): void {
  if (mappings.every(({ target }) => inputs.some(({ Id }) => Id === target))) return;
  const text =
    'The linkage no longer fits the activity it leads to: an input that it fills no longer exists. Edit the linkage';
  throw new AppError('linkMisfits', 409, text);
}

/**
 * Returns the chosen rows by output id. Transforms without an output id apply to the table outputs of the link, one
 * after the other. A transform for which no table is left must not choose rows.
 */
function chosenRows(
  transforms: readonly OutputTransform[],
  mappings: readonly LinkMapping[],
  outputs: ReadonlyMap<number, OutputValue>,
): ReadonlyMap<number, readonly number[] | null> {
  const sources = [...new Set(mappings.map(({ source }) => source))];
  const tables = sources.filter((source) => rowCount(outputs.get(source)) !== null);
  const unnamed = tables.values();
  const chosen = new Map<number, readonly number[] | null>();
  for (const { ActivityParameterId, FilteredRowIndices } of transforms) {
    const source = ActivityParameterId ?? unnamed.next().value;
    if (source === undefined) {
      if (FilteredRowIndices === null) continue;
      throw new AppError('transformInvalid', 400, 'OutputTransforms selects rows of more tables than the linkage uses');
    }
    const count = rowCount(outputs.get(source)) ?? 0;
    const beyond = FilteredRowIndices?.find((row) => row >= count);
    if (beyond !== undefined) {
      const text = `Row ${beyond} was selected, but the table of the run has only ${count === 1 ? '1 row' : `${count} rows`}`;
      throw new AppError('transformInvalid', 400, text);
    }
    chosen.set(source, FilteredRowIndices);
  }
  return chosen;
}

/** Returns the number of rows of a table; null if the output is not a table. */
function rowCount(output: OutputValue | undefined): number | null {
  const value: unknown = output?.json ? JSON.parse(output.json) : null;
  return Array.isArray(value) ? value.length : null;
}

/**
 * Returns all values to start with. The run's values are used for inputs that nobody may change, or that nobody
 * changed.
 */
function linkedValues(
  inputs: readonly Input[],
  linkedOutputs: LinkedOutputs,
  sent: readonly RunInputValue[],
): RunInputValue[] {
  const modelState = createModelState();
  const linked = inputs.filter(({ ReadOnly }) => ReadOnly !== undefined);
  const isLinked = new Set(linked.map(({ Id }) => Id));
  const values = sent.filter(({ ActivityParameterId }) => !isLinked.has(ActivityParameterId));
  for (const input of linked) {
    try {
      values.push(...linkedValue(input, linkedOutputs, sent));
    } catch (error) {
      if (!(error instanceof InputShapeError)) throw error;
      modelState[input.Name] = [error.message];
    }
  }
  if (Object.keys(modelState).length > 0) throw new AppError('inputsInvalid', 400, FORM_ISSUE, { modelState });
  return values;
}

function linkedValue(input: Input, linkedOutputs: LinkedOutputs, sent: readonly RunInputValue[]): RunInputValue[] {
  const { source } = linkedOutputs.mappings.find(({ target }) => target === input.Id)!;
  const output = linkedOutputs.outputs.get(source) ?? { json: null, files: [] };
  const entries = sent.filter(({ ActivityParameterId }) => ActivityParameterId === input.Id);
  const isTheirs = entries.length > 0 && !isLocked(input) && input.ReadOnly!.every((one) => !one);
  // If the person may replace the whole value and did, the run's value does not matter.
  if (isTheirs) return entries;
  const form = linkedFormInput(input, output, linkedOutputs.rowsOf.get(source) ?? null);
  if (!isLocked(input)) for (const { Value } of entries) refuseRounded(input.Info, Value);
  const changed = entries.length > 0 ? withLockedCells(input, form, decodeInput(input, entries)) : form;
  // Check before encoding: encoding turns an invalid number into a blank, and a blank stands for the workbook's own
  // value.
  const [message] = issueMessages(checkInput({ ...input, HasAccess: true }, changed));
  if (message !== undefined) throw new InputShapeError(message);
  return encodeInput(input, changed);
}

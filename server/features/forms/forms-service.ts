/** Forms that are being filled in: calculates the workbook with the values entered so far. */
import { randomBytes } from 'node:crypto';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Executor, FormUpdate, InputRules } from '#server/executors/executor.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { findStoredFiles, type StoredFileRow } from '#server/files/stored-files.ts';
import type { LinkedForms } from '#server/features/links/linked-forms-service.ts';
import type { Person } from '#server/base/person.ts';
import type { RuleAnswer, UpdateUiBody, UpdateUiResult } from '#shared/contract/forms.ts';
import { valueShape, type FormCell } from '#shared/codecs/input-form.ts';
import type { Input, RunInputValue } from '#shared/contract/parameters.ts';
import { issueMessages } from '#shared/rules/issue-messages.ts';
import { isLiveForm } from '#shared/rules/live-form.ts';
import { isCalculatedList, outsideList } from '#shared/rules/outside-list.ts';
import { listMessage } from '#shared/rules/value-rules.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import { outputsOf } from '#server/versions/version-views.ts';
import { formValues } from './form-values.ts';
import { readValues } from '#server/versions/read-values.ts';
import type { ActivityVersion, VersionCatalog } from '#server/versions/version-catalog.ts';
import type { ListItems, StartChecks } from '#server/queue/start-inputs.ts';

/** Returns the list items saved in the file. */
const savedLists = ({ inputs }: ActivityVersion): ListItems =>
  new Map(inputs.map(({ Id, pickerItems }) => [Id, pickerItems]));

export interface FormsService {
  update(person: Person, body: UpdateUiBody): Promise<UpdateUiResult>;
  /**
   * Returns the data to validate a start with. Calculated lists and rules are evaluated with the sent values. If that
   * fails, for example because a person cannot wait as long as a run may take, the run validates its values itself.
   */
  startChecks(version: ActivityVersion, inputs: readonly Input[], sent: SentForm): Promise<StartChecks>;
}

export interface SentForm {
  userId: number;
  uniqueId: string | null;
  values: readonly RunInputValue[];
  files: ReadonlyMap<string, StoredFileRow>;
}

export interface FormsDeps {
  database: Database;
  access: ActivityAccess;
  activities: ActivitiesService;
  versions: VersionCatalog;
  files: FileStore;
  executor: Executor;
  linkedForm: LinkedForms;
}

/** In milliseconds. Short, because a person waits for the response. */
const TIME_LIMIT = 20_000;

const THREAD = new URL('./form-values-thread.ts', import.meta.url);

async function calculate(
  { files, executor }: FormsDeps,
  version: ActivityVersion,
  inputs: readonly Input[],
  sent: SentForm,
): ReturnType<Executor['updateForm']> {
  const form = { inputs, values: sent.values, files: sent.files };
  const read = await readValues(sent.values, { here: () => formValues(form), thread: THREAD, work: form });
  if ('modelState' in read) throw new AppError('inputsInvalid', 400, read.message, { modelState: read.modelState });
  const { ActivityId, Version, definition, file } = version;
  const versionKey = `${ActivityId}/${Version}`;
  return executor.updateForm({
    versionKey,
    // Unique per user, so that nobody continues another person's form.
    formKey: `${versionKey}/${sent.userId}/${sent.uniqueId}`,
    definition,
    readWorkbook: () => {
      if (!file) throw new AppError('fileMissing', 404, 'This activity version file does not exist');
      return files.read(file.StoreKey);
    },
    inputs: read.values,
    timeLimit: TIME_LIMIT,
  });
}

export function createFormsService(deps: FormsDeps): FormsService {
  const { database, access, activities, versions } = deps;
  const { knex } = database;

  return {
    update: async (person, body) => {
      const { activity, CanRun } = await access.require(knex, person, body.ActivityId);
      if (!CanRun) throw new AppError('activityInactive', 409, 'The activity is not active and cannot be run');
      const version = await versions.get(body.ActivityId, body.ActivityVersion);
      if (!version) throw new AppError('versionNotFound', 404, 'There is no such version');
      const own = await activities.inputsFor(person, activity, version);
      const linked = body.LinkId ? await deps.linkedForm(person, body.LinkId, body) : null;
      const inputs = linked ? linked.inputsOf(own) : own;
      if ((body.ChangedInputIndex ?? 0) > Math.max(0, inputs.length - 1)) {
        throw new AppError('inputNotFound', 400, 'ChangedInputIndex does not refer to an input');
      }
      const UniqueId = body.UniqueId ?? randomBytes(16).toString('base64url');
      const stored = await ownFiles(knex, person, body.Inputs, linked?.files);
      const answer = isLiveForm({ Inputs: inputs, Outputs: outputsOf(version) })
        ? await calculate(deps, version, inputs, {
            userId: person.UserId,
            uniqueId: UniqueId,
            values: body.Inputs,
            files: stored,
          })
        : NOTHING;
      if ('refusal' in answer) throw new AppError('formNotCalculated', 422, answer.refusal);
      return { UniqueId, ...resultOf(version, answer), StoredFileNames: fileNames(stored) };
    },
    startChecks: async (version, inputs, sent) => {
      const lists = new Map(savedLists(version));
      const isStrict = inputs.some(
        ({ Info }) =>
          Info.Pickers.some(isCalculatedList) || Info.Rules?.some((one) => one.Calculated && one.Alert === 'Stop'),
      );
      if (!isStrict) return { lists, refused: new Map() };
      const answer = await calculate(deps, version, inputs, sent);
      const refused = refusedValues(version, 'refusal' in answer ? [] : answer.rules);
      const calculated = 'refusal' in answer ? [] : answer.lists;
      for (const { Id, Name, Info, pickerItems } of version.inputs) {
        const items = pickerItems.map((saved, column) =>
          Info.Pickers[column]?.Calculated
            ? (calculated.find((list) => list.Name === Name && list.column === column && !list.rows)?.items ?? null)
            : saved,
        );
        lists.set(Id, items);
      }
      for (const input of inputs) {
        if (isUnlistedPreset(input, lists))
          refused.set(input.Id, [...(refused.get(input.Id) ?? []), listMessage(null)]);
      }
      return { lists, refused };
    },
  };
}

/**
 * Returns the messages of rules with a stop alert, by input id. For inputs with several values, the messages name the
 * rows.
 */
function refusedValues(version: ActivityVersion, rules: readonly InputRules[]): Map<number, string[]> {
  const refused = new Map<number, string[]>();
  for (const { Name, issues } of rules) {
    const { Id, Info } = version.inputs.find((input) => input.Name === Name)!;
    const isSingle = valueShape(Info) === 'cell';
    const stops = issues.filter(({ Alert }) => Alert === 'Stop');
    const messages = issueMessages(
      stops.map(({ Message, row }) => ({ message: Message, ...(isSingle ? {} : { row }) })),
    );
    if (messages.length > 0) refused.set(Id, messages);
  }
  return refused;
}

/**
 * Returns whether a preset is missing from the list that formulas calculate from the other values. A preset is always a
 * single value.
 */
function isUnlistedPreset({ Id, Info, PresetValue }: Input, lists: ListItems): boolean {
  if (PresetValue === null || !isCalculatedList(Info.Pickers[0])) return false;
  const cell = JSON.parse(PresetValue) as FormCell;
  return cell !== null && cell !== '' && outsideList(Info, 0, cell, (column) => lists.get(Id)?.[column] ?? null);
}

const NOTHING: FormUpdate = { values: [], lists: [], outputs: [], rules: [] };

const idOf = (version: ActivityVersion, name: string): number => version.inputs.find(({ Name }) => Name === name)!.Id;

async function ownFiles(
  knex: Database['knex'],
  person: Person,
  values: readonly RunInputValue[],
  allowedFiles: ReadonlySet<string> = new Set(),
): Promise<Map<string, StoredFileRow>> {
  const ids = values.flatMap(({ FileId }) => (FileId ? [FileId] : []));
  const files = await findStoredFiles(knex, ids);
  const own = files.filter(
    ({ FileId, Purpose, UserId }) => allowedFiles.has(FileId) || (Purpose === 'upload' && UserId === person.UserId),
  );
  return new Map(own.map((file) => [file.FileId, file]));
}

const fileNames = (files: ReadonlyMap<string, StoredFileRow>): UpdateUiResult['StoredFileNames'] =>
  [...files.values()].flatMap(({ ActivityParameterId, FileId, FileName }) =>
    ActivityParameterId === null ? [] : [{ ActivityParameterId, FileId, FileName }],
  );

function resultOf(
  version: ActivityVersion,
  { values, lists, outputs, rules }: FormUpdate,
): Pick<UpdateUiResult, 'Inputs' | 'InputPickerValues' | 'Outputs' | 'Rules'> {
  const outputValues = new Map(
    outputs.map(({ Name, Value }) => [version.outputs.find((output) => output.Name === Name)!.Id, Value]),
  );
  return {
    Inputs: values.map(({ Name, column, value }) => ({
      ActivityParameterId: idOf(version, Name),
      ColumnIndex: column,
      Value: value,
    })),
    InputPickerValues: lists.map(({ Name, column, items, rows }) => ({
      ActivityParameterId: idOf(version, Name),
      ColumnIndex: column,
      ...(rows && { Rows: rows }),
      Items: items,
    })),
    Outputs: outputsOf(version, (id) => outputValues.get(id) ?? null).filter(({ Id }) => outputValues.has(Id)),
    ...(rules.length > 0 ? { Rules: rules.map((one) => ruleAnswer(version, one)) } : {}),
  };
}

function ruleAnswer(version: ActivityVersion, { Name, allowed, issues }: InputRules): RuleAnswer {
  return {
    ActivityParameterId: idOf(version, Name),
    Allowed: allowed,
    Issues: issues.map(({ row, col, ...issue }) => ({ Row: row, Col: col, ...issue })),
  };
}

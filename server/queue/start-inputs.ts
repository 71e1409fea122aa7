/** Checks the sent values of a start by the rules of the form, and converts them to the values that a run stores. */
import { createModelState, type ModelState } from '#server/base/app-error.ts';
import type { StoredFileRow } from '#server/files/stored-files.ts';
import type { NewRunInput } from './enqueue-run.ts';
import { InputShapeError, isFixed, refuseRounded, valueShape } from '#shared/codecs/input-form.ts';
import type { Input, RunInputValue } from '#shared/contract/parameters.ts';
import { checkInput, decodeInput, encodeInput, isUnconfigured, UNCONFIGURED } from '#shared/rules/input-rules.ts';
import { issueMessages } from '#shared/rules/issue-messages.ts';

/** The stored files among the sent values, by id. */
export type UploadedFiles = ReadonlyMap<string, StoredFileRow>;

/** Whose files may be sent: the person's uploads, and files that a source run supplies to a linked run. */
export interface FileOwner {
  userId: number;
  allowedFiles: ReadonlySet<string>;
}

/** The items of an input's lists, by input id and column. */
export type ListItems = ReadonlyMap<number, readonly (string[] | null)[]>;

export interface StartChecks {
  lists: ListItems;
  /** By input id: what calculated rules reject, and presets that calculated lists do not offer. */
  refused: ReadonlyMap<number, readonly string[]>;
}

/** URL of the thread that makes the same check for long values. */
export const START_INPUTS_THREAD = new URL('./start-inputs-thread.ts', import.meta.url);

export interface StartInputs extends StartChecks {
  inputs: readonly Input[];
  sent: readonly RunInputValue[];
  files: UploadedFiles;
  owner: FileOwner;
}

/**
 * Messages by input name for values that are not acceptable. If there are none, `rows` are the values that the run
 * stores.
 */
export interface CheckedInputs {
  modelState: ModelState;
  rows: NewRunInput[];
}

export function checkStartInputs({ lists, refused, inputs, sent, files, owner }: StartInputs): CheckedInputs {
  const entries = Map.groupBy(sent, (value) => value.ActivityParameterId);
  const modelState = createModelState();
  for (const id of entries.keys()) {
    if (!inputs.some((input) => input.Id === id))
      modelState[''] = ['There is a value for an input that does not exist'];
  }
  const rows: NewRunInput[] = [];
  for (const input of inputs) {
    const checked = checkOne(lists, input, entries.get(input.Id) ?? [], files, owner);
    // Rules are only reported for otherwise valid values: a text that is not a number cannot violate a limit.
    const messages = checked.messages.length > 0 ? checked.messages : [...new Set(refused.get(input.Id))];
    if (messages.length > 0) modelState[input.Name] = messages;
    rows.push(...checked.rows);
  }
  return { modelState, rows };
}

interface Checked {
  messages: string[];
  rows: NewRunInput[];
}

const refusal = (...messages: string[]): Checked => ({ messages: [...new Set(messages)], rows: [] });

function checkOne(
  lists: StartChecks['lists'],
  input: Input,
  entries: readonly RunInputValue[],
  files: UploadedFiles,
  owner: FileOwner,
): Checked {
  if (isUnconfigured(input)) return refusal(UNCONFIGURED);
  try {
    // Values of inputs that the person may not change are ignored; the workbook's own value applies.
    const theirs = isFixed(input) ? [] : entries;
    for (const { Value } of theirs) refuseRounded(input.Info, Value);
    const form = decodeInput(input, theirs);
    const items = lists.get(input.Id) ?? [];
    const issues = checkInput(input, form, (col) => items[col] ?? null);
    if (issues.length > 0) return refusal(...issueMessages(issues));
    for (const { FileId } of form.files) {
      const file = files.get(FileId);
      const isTheirs =
        file?.Purpose === 'upload' && file.UserId === owner.userId && file.ActivityParameterId === input.Id;
      const isAllowed = file !== undefined && owner.allowedFiles.has(FileId);
      if (!isTheirs && !isAllowed) return refusal('Please choose a file');
    }
    return { messages: [], rows: encodeInput(input, form).map((value) => rowOf(input, value, files)) };
  } catch (error) {
    if (error instanceof InputShapeError) return refusal(error.message);
    throw error;
  }
}

function rowOf(input: Input, value: RunInputValue, files: UploadedFiles): NewRunInput {
  // A form cannot send the value of a preset input.
  const Value = input.PresetValue ?? value.Value ?? null;
  const file = value.FileId ? files.get(value.FileId) : undefined;
  const counted = Value !== null && valueShape(input.Info) !== 'cell';
  return {
    ActivityParameterId: input.Id,
    ArrayIndex: value.ArrayIndex ?? 0,
    Value,
    Rows: counted ? (JSON.parse(Value) as unknown[]).length : null,
    UseDefault: input.PresetValue === null && (value.UseDefault ?? false),
    HasPresetValue: input.PresetValue !== null,
    FileId: file?.FileId ?? null,
    FileName: file?.FileName ?? null,
    ContentLength: file?.ContentLength ?? null,
  };
}

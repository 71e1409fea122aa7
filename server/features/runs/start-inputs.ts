/** What a start sends, checked by the rules the form uses, and made into what a run keeps. */
import type { ModelState } from '#server/base/app-error.ts';
import type { StartChecks } from '#server/features/forms/forms-service.ts';
import type { StoredFileRow } from '#server/files/stored-files.ts';
import type { NewRunInput } from '#server/jobs/queue/enqueue-run.ts';
import { InputShapeError, isFixed, refuseRounded, valueShape } from '#shared/codecs/input-form.ts';
import type { Input, RunInputValue } from '#shared/contract/parameters.ts';
import { checkInput, decodeInput, encodeInput, isUnconfigured, UNCONFIGURED } from '#shared/rules/input-rules.ts';
import { issueMessages } from '#shared/rules/issue-messages.ts';

/** The stored files among the values sent, by id. */
export type UploadedFiles = ReadonlyMap<string, StoredFileRow>;

/** Whose files may be sent: those that the person uploaded, and those that a run gives to a linked one. */
export interface FileOwner {
  userId: number;
  given: ReadonlySet<string>;
}

export interface StartInputs extends StartChecks {
  inputs: readonly Input[];
  sent: readonly RunInputValue[];
  files: UploadedFiles;
  owner: FileOwner;
}

/** The messages by input where a value cannot be taken; what the run keeps where there are none. */
export interface CheckedInputs {
  modelState: ModelState;
  rows: NewRunInput[];
}

export function checkStartInputs({ lists, refused, inputs, sent, files, owner }: StartInputs): CheckedInputs {
  const entries = Map.groupBy(sent, (value) => value.ActivityParameterId);
  const modelState: ModelState = {};
  for (const id of entries.keys()) {
    if (!inputs.some((input) => input.Id === id))
      modelState[''] = ['There is a value for an input that does not exist'];
  }
  const rows: NewRunInput[] = [];
  for (const input of inputs) {
    const checked = checkOne(lists, input, entries.get(input.Id) ?? [], files, owner);
    // Only of what is otherwise right: what is no number at all breaks no limit.
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
    // What the person may not change is not looked at: the workbook's own value stands.
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
      const isGiven = file !== undefined && owner.given.has(FileId);
      if (!isTheirs && !isGiven) return refusal('Please choose a file');
    }
    return { messages: [], rows: encodeInput(input, form).map((value) => rowOf(input, value, files)) };
  } catch (error) {
    if (error instanceof InputShapeError) return refusal(error.message);
    throw error;
  }
}

function rowOf(input: Input, value: RunInputValue, files: UploadedFiles): NewRunInput {
  // What is preset is not the form's to send.
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

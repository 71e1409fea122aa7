/** What a run form asks while it is filled in, the values preset for it, and its sample files. Source: specification of activities, sections 2 and 7. */
import { Type, type Static } from 'typebox';
import { closed, get, Id, needsOn, nullable, post, RunId, tokenAccess, closedBut } from './endpoint.ts';
import { Input, Output, RULE_ALERTS, RunInputValue } from './parameters.ts';

export const UpdateUiBody = closed({
  ActivityId: Id,
  ActivityVersion: Type.Integer({ minimum: 1 }),
  /** Names the form, as an earlier answer did; null or absent at first. */
  UniqueId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 64 }))),
  /** All inputs as a start would send them; what is not there is the workbook's own. */
  Inputs: Type.Array(RunInputValue, { maxItems: 10_000 }),
  /** Place of the changed input among the activity's inputs, and the column of a grid, both from 0; null or absent for all. */
  ChangedInputIndex: Type.Optional(nullable(Type.Integer({ minimum: 0 }))),
  ChangedInputColumn: Type.Optional(nullable(Type.Integer({ minimum: 0 }))),
  /** The link by which the form was opened, and the run it was opened from. */
  LinkId: Type.Optional(nullable(Id)),
  ActivityRunId: Type.Optional(nullable(RunId)),
});
export type UpdateUiBody = Static<typeof UpdateUiBody>;

/** What formulas give in an input: in a column of a grid (a list, one element a row), or as a whole where ColumnIndex is null. */
export const SuggestedValue = closed({
  ActivityParameterId: Id,
  ColumnIndex: nullable(Type.Integer({ minimum: 0 })),
  /** JSON text, as an input's value. */
  Value: Type.String(),
});
export type SuggestedValue = Static<typeof SuggestedValue>;

export const InputPickerValue = closed({
  ActivityParameterId: Id,
  ColumnIndex: Type.Integer({ minimum: 0 }),
  /** The rows of a table that the list is offered in, from 0; absent for all. */
  Rows: Type.Optional(Type.Array(Type.Integer({ minimum: 0 }))),
  Items: Type.Array(Type.String()),
});

/** A value that breaks a rule which cells or formulas decide. */
export const RuleIssue = closed({
  /** The cell, from 0, as the value is nested: of a list Row alone counts. */
  Row: Type.Integer({ minimum: 0 }),
  Col: Type.Integer({ minimum: 0 }),
  Alert: Type.Enum(RULE_ALERTS),
  Title: Type.String(),
  Message: Type.String(),
});
export type RuleIssue = Static<typeof RuleIssue>;

/** What rules that cells or formulas decide say of an input. */
export const RuleAnswer = closed({
  ActivityParameterId: Id,
  /** What they allow in a single cell, in words ('1 to 40'); '' where that cannot be said. */
  Allowed: Type.String(),
  /** At most the first hundred of Stop, and as many of the others. */
  Issues: Type.Array(RuleIssue),
});
export type RuleAnswer = Static<typeof RuleAnswer>;

export const UpdateUiResult = closed({
  UniqueId: Type.String(),
  /** The items of calculated lists. */
  InputPickerValues: Type.Array(InputPickerValue),
  /** Of the files sent, those that the server still has. */
  StoredFileNames: Type.Array(closed({ ActivityParameterId: Id, FileId: Type.String(), FileName: Type.String() })),
  Inputs: Type.Array(SuggestedValue),
  /** Those that are calculated immediately, with their values. */
  Outputs: Type.Array(Output),
  /** Absent where the activity has no rules that cells or formulas decide. */
  Rules: Type.Optional(Type.Array(RuleAnswer)),
});
export type UpdateUiResult = Static<typeof UpdateUiResult>;

export const updateUi = post('/api/activities/updateui', {
  access: needsOn('sk.RunActivity'),
  summary: 'What the workbook makes of a form so far: suggestions, lists, immediate outputs',
  parts: { body: UpdateUiBody, result: UpdateUiResult },
});

/** A preset as it is saved: JSON text; null, or an empty text, clears it. A whole input may be sent. */
export const PresetUpdate = closedBut(Object.keys(Input.properties), {
  Id,
  ActivityId: Id,
  PresetValue: nullable(Type.String({ maxLength: 100_000 })),
});
export type PresetUpdate = Static<typeof PresetUpdate>;

export const updatePresetValues = post('/api/activities/updatepresetvals', {
  access: needsOn('sk.EditActivity'),
  summary: 'Preset values of single-cell inputs of one activity; nothing is saved where one is invalid',
  parts: {
    body: Type.Array(PresetUpdate, { minItems: 1, maxItems: 1000 }),
    result: Type.Array(Input),
  },
});

const SampleToken = Type.String();

/** The format of a sample: 0 as its name says, 1 an .xlsx, 2 a .csv. */
const SampleFormat = Type.Integer({ minimum: 0, maximum: 2 });

export const downloadSample = get('/api/activities/downloadsample/input/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'A token for the sample file of an input',
  parts: { params: closed({ id: Id }), result: SampleToken },
});

export const downloadSampleAs = get('/api/activities/downloadsample/input/:id/:n', {
  access: needsOn('sk.RunActivity'),
  summary: 'A token for the sample file of an input in a format: 0 as its name says, 1 an .xlsx, 2 a .csv',
  parts: { params: closed({ id: Id, n: SampleFormat }), result: SampleToken },
});

export const downloadSampleFile = get('/api/activities/downloadsample/token/:token', {
  access: tokenAccess,
  summary: 'The sample file a token stands for; tokens last two minutes',
  transport: 'file',
  parts: { params: closed({ token: Type.String({ minLength: 20, maxLength: 100, pattern: '^[A-Za-z0-9_-]+$' }) }) },
});

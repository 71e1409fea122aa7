/**
 * Calls of a run form while it is filled in, preset values, and sample files. Source: specification of activities,
 * sections 2 and 7.
 */
import { Type, type Static } from 'typebox';
import { closed, get, Id, needsOn, nullable, post, RunId, tokenAccess, closedBut } from './endpoint.ts';
import { Input, Output, RULE_ALERTS, RunInputValue } from './parameters.ts';

export const UpdateUiBody = closed({
  ActivityId: Id,
  ActivityVersion: Type.Integer({ minimum: 1 }),
  /** Identifies the form, as returned by an earlier call; null or absent on the first call. */
  UniqueId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 64 }))),
  /** All inputs in the format of a start. Missing inputs use the workbook's own values. */
  Inputs: Type.Array(RunInputValue, { maxItems: 10_000 }),
  /**
   * Index of the changed input among the activity's inputs, and of the grid column, both from 0. Null or absent means
   * all.
   */
  ChangedInputIndex: Type.Optional(nullable(Type.Integer({ minimum: 0 }))),
  ChangedInputColumn: Type.Optional(nullable(Type.Integer({ minimum: 0 }))),
  /** The link through which the form was opened, and the run it was opened from. */
  LinkId: Type.Optional(nullable(Id)),
  ActivityRunId: Type.Optional(nullable(RunId)),
});
export type UpdateUiBody = Static<typeof UpdateUiBody>;

/**
 * A value that formulas calculate for an input: for one column of a grid (a list with one element per row), or for the
 * whole input if ColumnIndex is null.
 */
export const SuggestedValue = closed({
  ActivityParameterId: Id,
  ColumnIndex: nullable(Type.Integer({ minimum: 0 })),
  /** JSON text, like an input's value. */
  Value: Type.String(),
});
export type SuggestedValue = Static<typeof SuggestedValue>;

export const InputPickerValue = closed({
  ActivityParameterId: Id,
  ColumnIndex: Type.Integer({ minimum: 0 }),
  /** The rows of a table that offer the list, from 0; absent if all rows do. */
  Rows: Type.Optional(Type.Array(Type.Integer({ minimum: 0 }))),
  Items: Type.Array(Type.String()),
});

/** A value that violates a rule determined by cells or formulas. */
export const RuleIssue = closed({
  /** The cell, from 0, following the nesting of the value; for a list, only Row is used. */
  Row: Type.Integer({ minimum: 0 }),
  Col: Type.Integer({ minimum: 0 }),
  Alert: Type.Enum(RULE_ALERTS),
  Title: Type.String(),
  Message: Type.String(),
});
export type RuleIssue = Static<typeof RuleIssue>;

/** Result of the rules of an input that are determined by cells or formulas. */
export const RuleAnswer = closed({
  ActivityParameterId: Id,
  /** Allowed values of a single cell as text for users ('1 to 40'); '' if they cannot be put into words. */
  Allowed: Type.String(),
  /** At most the first 100 issues with Alert Stop, and as many of the other kinds. */
  Issues: Type.Array(RuleIssue),
});
export type RuleAnswer = Static<typeof RuleAnswer>;

export const UpdateUiResult = closed({
  UniqueId: Type.String(),
  /** Items of calculated lists. */
  InputPickerValues: Type.Array(InputPickerValue),
  /** Those of the submitted files that the server still has. */
  StoredFileNames: Type.Array(closed({ ActivityParameterId: Id, FileId: Type.String(), FileName: Type.String() })),
  Inputs: Type.Array(SuggestedValue),
  /** Outputs marked for immediate calculation, with their values. */
  Outputs: Type.Array(Output),
  /** Absent if no rule of the activity is determined by cells or formulas. */
  Rules: Type.Optional(Type.Array(RuleAnswer)),
});
export type UpdateUiResult = Static<typeof UpdateUiResult>;

export const updateUi = post('/api/activities/updateui', {
  access: needsOn('sk.RunActivity'),
  summary: 'Recalculate a form: suggestions, lists, immediate outputs',
  parts: { body: UpdateUiBody, result: UpdateUiResult },
});

/** Saves a preset value: JSON text; null or '' clears it. Clients may send a whole input. */
export const PresetUpdate = closedBut(Object.keys(Input.properties), {
  Id,
  ActivityId: Id,
  PresetValue: nullable(Type.String({ maxLength: 100_000 })),
});
export type PresetUpdate = Static<typeof PresetUpdate>;

export const updatePresetValues = post('/api/activities/updatepresetvals', {
  access: needsOn('sk.EditActivity'),
  summary: 'Save preset values for single-cell inputs of an activity; if one is invalid, nothing is saved',
  parts: {
    body: Type.Array(PresetUpdate, { minItems: 1, maxItems: 1000 }),
    result: Type.Array(Input),
  },
});

const SampleToken = Type.String();

/** Format of a sample file: 0 as its name indicates, 1 .xlsx, 2 .csv. */
const SampleFormat = Type.Integer({ minimum: 0, maximum: 2 });

export const downloadSample = get('/api/activities/downloadsample/input/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'Download the sample file of an input; returns a token',
  parts: { params: closed({ id: Id }), result: SampleToken },
});

export const downloadSampleAs = get('/api/activities/downloadsample/input/:id/:n', {
  access: needsOn('sk.RunActivity'),
  summary: 'Download the sample file of an input in a format: 0 as in its name, 1 .xlsx, 2 .csv; returns a token',
  parts: { params: closed({ id: Id, n: SampleFormat }), result: SampleToken },
});

export const downloadSampleFile = get('/api/activities/downloadsample/token/:token', {
  access: tokenAccess,
  summary: 'Download the sample file of a token; tokens are valid for two minutes',
  transport: 'file',
  parts: { params: closed({ token: Type.String({ minLength: 20, maxLength: 100, pattern: '^[A-Za-z0-9_-]+$' }) }) },
});

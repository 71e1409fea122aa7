/**
 * Input sets: named values of a run form, saved by users for themselves or by editors for everyone who runs the
 * activity.
 */
import { Type, type Static } from 'typebox';
import { closed, get, Id, IdParams, needsOn, nullable, post, Timestamp } from './endpoint.ts';

const SetName = Type.String({ minLength: 1, maxLength: 60, pattern: '\\S' });

/** Identifies the input by name, so a set also fits other versions. Files are not stored. */
export const InputSetValue = closed({
  Name: Type.String({ minLength: 1, maxLength: 255 }),
  /** JSON text, like an input's value. */
  Value: nullable(Type.String({ maxLength: 2_000_000 })),
  UseDefault: Type.Boolean(),
});
export type InputSetValue = Static<typeof InputSetValue>;

export const InputSet = closed({
  Id,
  Name: Type.String(),
  IsShared: Type.Boolean(),
  IsOwn: Type.Boolean(),
  /** True if the user may change or delete it: their own sets, and shared sets if they may edit the activity. */
  CanChange: Type.Boolean(),
  UserFullName: Type.String(),
  ModifiedTime: Timestamp,
});
export type InputSet = Static<typeof InputSet>;

/** Maximum number of sets per user and activity, and of shared sets per activity. */
export const INPUT_SETS_MAX = 100;

export const listInputSets = get('/api/activities/inputsets/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'List the user’s own and shared input sets of an activity, by name',
  parts: { params: IdParams, result: Type.Array(InputSet) },
});

export const readInputSet = get('/api/activities/inputset/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'Get the values of an input set',
  parts: { params: IdParams, result: closed({ Inputs: Type.Array(InputSetValue) }) },
});

export const SaveInputSet = closed({
  ActivityId: Id,
  Name: SetName,
  /** True to share it with everyone who may run the activity; requires the right to edit the activity. */
  IsShared: Type.Boolean(),
  Inputs: Type.Array(InputSetValue, { maxItems: 1000 }),
});
export type SaveInputSet = Static<typeof SaveInputSet>;

export const saveInputSet = post('/api/activities/inputset', {
  access: needsOn('sk.RunActivity'),
  summary: 'Save values as an input set; replaces the set with the same name and sharing',
  parts: { body: SaveInputSet, result: closed({ Id }) },
});

export const deleteInputSet = post('/api/activities/inputset/delete/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'Delete an input set',
  parts: { params: IdParams, result: Type.Null() },
});

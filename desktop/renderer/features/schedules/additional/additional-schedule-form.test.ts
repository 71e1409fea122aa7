import { expect, it } from 'vitest';
import {
  newFields as newTriggerFields,
  typedInput,
  updateOf as triggerUpdateOf,
} from '#renderer/features/triggers/trigger-form.ts';
import type { TriggerList } from '#shared/contract/triggers.ts';
import { newFields, typedText, updateOf } from './additional-schedule-form.ts';

/** Properties of every object, which are possible names of inputs. */
const NAMES = ['constructor', 'toString', '__proto__'];
const ASKED = NAMES.map((Name) => ({ Name, Kind: 'Text' as const, IsNeeded: false }));

it('leaves inputs empty that are named like properties of every object', () => {
  const fields = { ...newFields('Europe/Berlin'), Name: 'Daily' };
  expect(NAMES.map((name) => typedText(fields, name))).toEqual(['', '', '']);
  expect(updateOf(fields, 7, ASKED)).toMatchObject({ update: { Inputs: [] }, issues: [] });
  const inputs = { ...fields.inputs, ['constructor']: 'x', ['__proto__']: 'y' };
  expect(updateOf({ ...fields, inputs }, 7, ASKED).update?.Inputs.map(({ Name, Value }) => [Name, Value])).toEqual([
    ['constructor', '"x"'],
    ['__proto__', '"y"'],
  ]);
});

it('does the same in the form of a trigger', () => {
  const list: TriggerList = {
    OwnerName: 'Report',
    TimeZone: 'Europe/Berlin',
    Inputs: ASKED,
    FileInputs: [],
    Folders: [],
    Connections: [],
    Maintenance: null,
    Items: [],
  };
  const fields = { ...newTriggerFields(list), Name: 'Called' };
  expect(typedInput(fields, 'constructor')).toEqual({ typed: '', isFromEvent: false });
  expect(triggerUpdateOf(fields, 7, list)).toMatchObject({ update: { Inputs: [] }, issues: [] });
});

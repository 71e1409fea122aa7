/** Inputs of workbooks and tables that are no inputs of a stored activity, so that the same rules can check them. */
import type { Input } from '../contract/parameters.ts';

/** Returns an input that everyone may enter and nothing presets. */
export const openInput = (fields: Pick<Input, 'Name' | 'Info'> & Partial<Input>): Input => ({
  Id: 1,
  ActivityId: 1,
  Description: '',
  HasAccess: true,
  PresetValue: null,
  PresetValueError: null,
  ...fields,
});

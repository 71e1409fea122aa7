import { expect, it } from 'vitest';
import { NEW_FIELDS } from './editor-fields.ts';
import { createUploadIds } from './upload-ids.ts';

const FIELDS = { ...NEW_FIELDS, Name: 'Loan', file: new File(['a'], 'loan.xlsx') };

it('repeats an upload whose outcome is unknown with its id', () => {
  const { idOf, onAnswer } = createUploadIds();
  const id = idOf(FIELDS);
  for (const status of [0, 502, 401]) {
    onAnswer(status);
    expect(idOf({ ...FIELDS })).toBe(id);
  }
});

it.each([200, 400, 409, 422])('sends another upload with another id after a response with the status %d', (status) => {
  const { idOf, onAnswer } = createUploadIds();
  const id = idOf(FIELDS);
  onAnswer(status);
  expect(idOf(FIELDS)).not.toBe(id);
});

it('sends other fields and another file with another id', () => {
  const { idOf } = createUploadIds();
  const ids = [FIELDS, { ...FIELDS, Name: 'Loans' }, { ...FIELDS, file: new File(['a'], 'loan.xlsx') }].map(idOf);
  expect(new Set(ids).size).toBe(3);
});

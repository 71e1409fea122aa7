import { describe, expect, it } from 'vitest';
import type { ProcedureSettings } from '#shared/contract/procedure-settings.ts';
import {
  isUnsaved,
  NEW_FIELDS,
  submitIssue,
  submitIssues,
  toCreation,
  toProcedureUpdate,
  toUpdate,
  toUploadForm,
  withProposals,
  type EditorFields,
} from './editor-fields.ts';

const Procedure: ProcedureSettings = {
  Parameters: [],
  Results: null,
  ReturnCodeFails: false,
  CommitsByItself: false,
  LargeResultFormat: 'xlsx',
};

const file = new File(['x'], 'loan.xlsx');
const filled: EditorFields = { ...NEW_FIELDS, Name: 'Loan', Schema: 'finance', file };

describe('the editor of an activity', () => {
  it('checks in the specified order and stops at the first issue', () => {
    expect(submitIssue(0, { ...filled, Name: 'a/b', Order: 'x' })).toBe('Please correct the errors shown above');
    expect(submitIssue(0, { ...filled, Order: 'x', file: null })).toBe('Order must be a number');
    expect(submitIssue(0, { ...filled, file: null })).toBe('File must be uploaded');
    expect(submitIssue(7, filled)).toBe('ChangeDescription must be provided');
    expect(submitIssue(7, { ...filled, file: null })).toBeNull();
    expect(submitIssue(0, filled)).toBeNull();
  });

  it('names all issues at once, the specified first one on top', () => {
    expect(submitIssues(0, { ...filled, Name: '', Order: 'x', file: null })).toEqual([
      'Please correct the errors shown above',
      'Order must be a number',
      'File must be uploaded',
    ]);
    expect(submitIssues(0, { ...filled, Type: 'StoredProcedure', Order: 'x' })).toEqual([
      'Order must be a number',
      'Select stored procedure',
    ]);
    expect(submitIssues(0, filled)).toEqual([]);
  });

  it('takes what a workbook proposes where nothing was typed', () => {
    const proposals = { Name: 'Loan', Description: 'New', Group: 'Treasury', Function: '' };
    const typed = { ...NEW_FIELDS, Name: 'Mine', Description: 'Old' };
    expect(withProposals(typed, proposals, null)).toMatchObject({
      Name: 'Mine',
      Description: 'Old',
      Group: 'Treasury',
    });
    const former = { ...proposals, Description: 'Old' };
    expect(withProposals(typed, proposals, former)).toMatchObject({ Name: 'Mine', Description: 'New' });
  });

  it('is unsaved as soon as a field differs or a file is chosen', () => {
    expect(isUnsaved(NEW_FIELDS, NEW_FIELDS)).toBe(false);
    expect(isUnsaved(NEW_FIELDS, { ...NEW_FIELDS, Schema: 'finance' })).toBe(false);
    expect(isUnsaved(NEW_FIELDS, { ...NEW_FIELDS, Description: 'x' })).toBe(true);
    expect(isUnsaved(NEW_FIELDS, { ...NEW_FIELDS, SingleRun: false })).toBe(true);
    expect(isUnsaved(NEW_FIELDS, { ...NEW_FIELDS, file })).toBe(true);
  });

  it('rounds the order and takes 0 for a memory cost that is not a number', () => {
    expect(toUpdate(7, { ...filled, Order: '2.6', MemoryCost: 'much' })).toMatchObject({ Order: 3, MemoryCost: 0 });
    expect(toUpdate(7, { ...filled, Order: ' ' }).Order).toBeNull();
  });

  it('sends the file last, and everything but texts as JSON', () => {
    expect(toUploadForm(0, { ...filled, file }).has('Region')).toBe(false);
    expect(toUploadForm(0, { ...filled, file, region: 'de-AT' }).get('Region')).toBe('de-AT');
    const form = toUploadForm(0, { ...filled, file, accepted: ['CUBEVALUE'] });
    expect([...form.keys()].at(-1)).toBe('file');
    expect(form.get('Name')).toBe('Loan');
    expect(form.get('SingleRun')).toBe('true');
    expect(form.get('Order')).toBe('null');
    expect(form.get('AcceptUnsupported')).toBe('["CUBEVALUE"]');
  });

  it('sends a design in place of a file', () => {
    const form = toUploadForm(0, { ...filled, file, designId: 12 });
    expect(form.get('DesignId')).toBe('12');
    expect(form.has('file')).toBe(false);
    expect(submitIssue(0, { ...filled, file: null, designId: 12 })).toBeNull();
    expect(isUnsaved(NEW_FIELDS, { ...NEW_FIELDS, designId: 12 })).toBe(false);
  });

  it('asks for a procedure where the activity runs one, and for no file', () => {
    const fields: EditorFields = { ...NEW_FIELDS, Name: 'Close', Type: 'StoredProcedure' };
    expect(submitIssue(0, fields)).toBe('Select stored procedure');
    expect(submitIssue(0, { ...fields, ProcedureName: 'Ledger: books.close()' })).toBeNull();
  });

  it('is unsaved once a procedure is called in another way, but not by another type alone', () => {
    const opened: EditorFields = { ...NEW_FIELDS, Type: 'StoredProcedure', Procedure };
    expect(isUnsaved(opened, { ...opened, Procedure: { ...Procedure } })).toBe(false);
    expect(isUnsaved(opened, { ...opened, Procedure: { ...Procedure, CommitsByItself: true } })).toBe(true);
    expect(isUnsaved(NEW_FIELDS, { ...NEW_FIELDS, Type: 'StoredProcedure' })).toBe(false);
  });

  it('sends the settings of a procedure and what is said of them where they were changed, and else neither', () => {
    const opened: EditorFields = { ...filled, file: null, Type: 'StoredProcedure', Procedure };
    const renamed = { ...opened, Name: 'Other', ChangeDescription: 'why' };
    expect(toProcedureUpdate(7, opened, renamed)).not.toHaveProperty('Procedure');
    expect(toProcedureUpdate(7, opened, renamed)).not.toHaveProperty('ChangeDescription');
    const changed = { ...renamed, Procedure: { ...Procedure, CommitsByItself: true } };
    expect(toProcedureUpdate(7, opened, changed)).toMatchObject({
      Name: 'Other',
      Procedure: { CommitsByItself: true },
      ChangeDescription: 'why',
    });
  });

  it('makes an activity of a procedure without what only an existing one has', () => {
    const made = toCreation({ ...filled, Type: 'StoredProcedure', ProcedureName: 'Ledger: books.close()' });
    expect(made).toMatchObject({ Schema: 'finance', ProcedureName: 'Ledger: books.close()', Procedure: null });
    expect(made).not.toHaveProperty('Id');
    expect(made).not.toHaveProperty('Revision');
  });
});

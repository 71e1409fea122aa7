/** Example workbooks bundled with the program, to explore and to start from. */
import { Type, type Static } from 'typebox';
import { FileToken } from './activities.ts';
import { closed, get, needsOn, post } from './endpoint.ts';

const FileName = Type.String({ pattern: '^[a-z0-9-]+\\.xlsx$', maxLength: 100 });

export const ExampleFile = closed({
  FileName,
  /** Such as 'Template' or 'Loan schedule'. */
  Title: Type.String(),
  IsTemplate: Type.Boolean(),
  /** True if nothing in it is marked yet: it is for practicing how to mark inputs and outputs. */
  IsUnmarked: Type.Boolean(),
});
export type ExampleFile = Static<typeof ExampleFile>;

export const exampleFiles = get('/api/activities/examplefiles', {
  access: needsOn('sk.CreateActivity'),
  summary: 'List the template and the sample workbooks of the program',
  parts: { result: closed({ Items: Type.Array(ExampleFile) }) },
});

export const downloadExampleFile = post('/api/activities/examplefiles/download', {
  access: needsOn('sk.CreateActivity'),
  summary: 'Download the template or a sample workbook; returns a file token',
  parts: { body: closed({ FileName }), result: FileToken },
});

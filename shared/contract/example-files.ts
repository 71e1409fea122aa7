/** Workbooks that come with the program, for authors to look at and to begin with. */
import { Type, type Static } from 'typebox';
import { FileToken } from './activities.ts';
import { closed, get, needsOn, post } from './endpoint.ts';

const FileName = Type.String({ pattern: '^[a-z0-9-]+\\.xlsx$', maxLength: 100 });

export const ExampleFile = closed({
  FileName,
  /** 'Template', 'Loan schedule' */
  Title: Type.String(),
  IsTemplate: Type.Boolean(),
  /** Nothing in it is marked: it is there to try marking with. */
  IsUnmarked: Type.Boolean(),
});
export type ExampleFile = Static<typeof ExampleFile>;

export const exampleFiles = get('/api/activities/examplefiles', {
  access: needsOn('sk.CreateActivity'),
  summary: 'A template and the sample workbooks that come with the program',
  parts: { result: closed({ Items: Type.Array(ExampleFile) }) },
});

export const downloadExampleFile = post('/api/activities/examplefiles/download', {
  access: needsOn('sk.CreateActivity'),
  summary: 'A token for one of them',
  parts: { body: closed({ FileName }), result: FileToken },
});

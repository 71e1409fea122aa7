/** The sample workbooks and a template as files. They are read only from the program's own folder. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import type { ExampleFile } from '#shared/contract/example-files.ts';
import { readIndex, SAMPLES_FOLDER } from './publish-samples.ts';

export interface ExampleFilesService {
  /** Lists the template first, and the file without marks last. */
  list(): Promise<ExampleFile[]>;
  /** Returns a listed file. Throws an AppError 404 for any other name. */
  read(fileName: string): Promise<Buffer>;
  /** Returns a download token for a listed file. Throws an AppError 404 for any other name. */
  token(person: Person, fileName: string): Promise<string>;
}

const TEMPLATE = 'template.xlsx';
const FOLDER = join(SAMPLES_FOLDER, 'files');

export function createExampleFilesService(files: Pick<FilesService, 'tokenForNew'>): ExampleFilesService {
  async function list(): Promise<ExampleFile[]> {
    const samples = await readIndex(SAMPLES_FOLDER);
    return [
      { FileName: TEMPLATE, Title: 'Template', IsTemplate: true, IsUnmarked: false },
      ...samples.map(({ file, name }) => ({ FileName: file, Title: name, IsTemplate: false, IsUnmarked: false })),
      { FileName: 'quote-calculator.xlsx', Title: 'Quote calculator', IsTemplate: false, IsUnmarked: true },
    ];
  }
  async function read(fileName: string): Promise<Buffer> {
    const isListed = (await list()).some(({ FileName }) => FileName === fileName);
    if (!isListed) throw new AppError('exampleNotFound', 404, 'There is no such file');
    return readFile(join(FOLDER, fileName));
  }
  return {
    list,
    read,
    token: async (person, fileName) => files.tokenForNew(person, fileName, await read(fileName)),
  };
}

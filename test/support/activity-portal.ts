/**
 * The API with a user who edits activities, and an executor that accepts every workbook unless a test says otherwise.
 */
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import type { Inspection } from '#server/executors/executor.ts';
import { ensureSchemas } from '#server/features/schemas/schemas-service.ts';
import { testApp, type TestApp } from './app.ts';
import { createFakeExecutor, type FakeExecutor } from './fake-executor.ts';
import { input, multipart, output } from './portal.ts';
import { EMPTY_DEFINITION } from './runs.ts';
import { signedInUser } from './users.ts';

/** The definition of a valid workbook. */
export const WORKBOOK: ActivityDefinition = {
  ...EMPTY_DEFINITION,
  inputs: [
    input('Currency', { CellUsages: ['Text'], Pickers: [{ Type: 'List', PreventOtherValues: true }] }, [
      Array.from({ length: 50 }, (_, index) => `Item ${String(index).padStart(2, '0')}`),
    ]),
    input('Amount', { CellUsages: ['Number'] }),
  ],
  outputs: [output('Total')],
};
/** The inspection of a workbook without problems. */
export const GOOD: Inspection = {
  definition: WORKBOOK,
  problems: [],
  fidelity: {
    Engine: 'test',
    Formulas: 10,
    Equal: 9,
    Different: 1,
    DifferentFeedingOutputs: 0,
    Volatile: [],
    Unsupported: [],
    ExternalLinks: [],
    Differences: [],
  },
};

type Headers = { authorization: string };

interface Answer {
  status: number;
  // The response of the call, for assertions.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

export interface ActivityPortal {
  app: TestApp;
  executor: FakeExecutor;
  get: (url: string, headers?: Headers) => Promise<Answer>;
  post: (url: string, payload: object | null, headers?: Headers) => Promise<Answer>;
  upload: (
    fields: Record<string, string>,
    file?: { name: string; content: string } | null,
    headers?: Headers,
    query?: string,
  ) => Promise<Answer>;
  /** Like `upload`, without storing anything. */
  inspect: ActivityPortal['upload'];
  /** Creates an activity in the schema Finance and returns its Id. */
  publish: (more?: Record<string, string>) => Promise<number>;
}

let made = 0;
export const uniqueName = (): string => `Upload ${++made}`;

const BOOK = { name: 'book.xlsx', content: 'workbook' };

/** Calls are made by an editor who may create and edit activities, unless the test passes other headers. */
export async function startActivityPortal(): Promise<ActivityPortal> {
  const executor = createFakeExecutor();
  executor.onInspect = async () => GOOD;
  const app = await testApp({ executor });
  await ensureSchemas(app.database, ['Finance']);
  const admin = await signedInUser(app, ['sk.CreateActivity', 'sk.EditActivity']);
  const call = async (method: 'GET' | 'POST', url: string, headers: Headers, payload?: object): Promise<Answer> => {
    const answer = await app.http.inject({ method, url, headers: { ...headers }, ...(payload ? { payload } : {}) });
    return { status: answer.statusCode, body: answer.json() };
  };
  const sendTo =
    (path: string): ActivityPortal['upload'] =>
    (fields, file = BOOK, headers = admin.headers, query = '') => {
      const body = multipart(fields, file ? [file] : []);
      return call('POST', `/api/activities/${path}${query}`, { ...headers, ...body.headers }, body.payload);
    };
  const upload = sendTo('create');
  return {
    app,
    executor,
    get: (url, headers = admin.headers) => call('GET', url, headers),
    post: (url, payload, headers = admin.headers) => call('POST', url, headers, payload ?? undefined),
    upload,
    inspect: sendTo('inspect'),
    publish: async (more = {}) =>
      (await upload({ Id: '0', Schema: 'Finance', Name: uniqueName(), ...more })).body.Id as number,
  };
}

/** A portal with a real workbook executor, and an author who marks workbook cells in the browser. */
import { createWorkbookExecutor } from '#server/executors/workbook/workbook-executor.ts';
import { ensureSchemas } from '#server/features/schemas/schemas-service.ts';
import type { Design, Mark } from '#shared/contract/designs.ts';
import { testApp, type TestApp } from './app.ts';
import { buildWorkbook, type WorkbookSpec } from './build-workbook.ts';
import { multipart } from './portal.ts';
import { signedInUser } from './users.ts';

export const LOAN: WorkbookSpec = {
  sheets: [
    {
      name: 'Loan',
      cells: {
        A1: 'Interest rate',
        B1: { value: 0.05, style: 1 },
        A2: 'Amount',
        B2: 1000,
        A3: 'Interest',
        B3: { formula: 'B1*B2', value: 50 },
      },
      merges: ['A5:B5'],
    },
    { name: 'Rates', state: 'hidden', cells: { A1: true } },
    { name: 'Secret', state: 'veryHidden', cells: { A1: 'nobody sees it in Excel' } },
  ],
  formats: ['0.0%'],
};

export const mark = (Role: Mark['Role'], Name: string, Range: string, Options: Mark['Options'] = {}): Mark => ({
  Role,
  Name,
  Sheet: 'Loan',
  Range,
  Options,
});
export const MARKS = [
  mark('Input', 'Interest rate (p.a.)', 'B1'),
  mark('Input', 'Amount', 'B2'),
  mark('Output', 'Interest', 'B3'),
];

type User = Awaited<ReturnType<typeof signedInUser>>;

interface Answer<T> {
  status: number;
  result: T;
  message?: string;
}

/** Response of a call with an upload. */
interface Sent {
  status: number;
  Id: number;
  Version: number;
  Message: string;
}

interface Saved {
  Revision: number;
  Found: { Inputs: { Name: string; Items?: unknown }[]; Faults: { Sheet: string; Cell: string; Message: string }[] };
}

export interface DesignPortal {
  app: TestApp;
  author: User;
  /** Makes the call as the author, unless another user is passed. */
  call: <T>(method: 'GET' | 'POST', url: string, body?: object, user?: User) => Promise<Answer<T>>;
  send: (url: string, fields: Record<string, string>, content?: Uint8Array, user?: User) => Promise<Sent>;
  /** Uploads a workbook (by default the loan) and returns its design. */
  open: (spec?: WorkbookSpec, fields?: Record<string, string>) => Promise<Design>;
  save: (design: Pick<Design, 'Id' | 'Revision'>, Marks: Mark[]) => Promise<Answer<Saved>>;
  close: () => Promise<void>;
}

export async function startDesignPortal(): Promise<DesignPortal> {
  const executor = createWorkbookExecutor({ threads: 1, formThreads: 1 });
  const app = await testApp({ executor });
  await ensureSchemas(app.database, ['Finance']);
  const author = await signedInUser(app, ['sk.RunActivity', 'sk.CreateActivity', 'sk.EditActivity']);

  async function call<T>(method: 'GET' | 'POST', url: string, body?: object, user = author): Promise<Answer<T>> {
    const answer = await app.http.inject({ method, url, headers: user.headers, ...(body ? { payload: body } : {}) });
    return { status: answer.statusCode, ...answer.json<Omit<Answer<T>, 'status'>>() };
  }
  const send: DesignPortal['send'] = async (url, fields, content, user = author) => {
    const { headers, payload } = multipart(fields, content ? [{ name: 'Loan.xlsx', content }] : []);
    const answer = await app.http.inject({ method: 'POST', url, headers: { ...headers, ...user.headers }, payload });
    return { status: answer.statusCode, ...answer.json<Omit<Sent, 'status'>>() };
  };
  return {
    app,
    author,
    call,
    send,
    open: async (spec = LOAN, fields = { Schema: 'Finance' }) => {
      const { Id } = await send('/api/designs/open', fields, await buildWorkbook(spec));
      return (await call<Design>('GET', `/api/designs/${Id}`)).result;
    },
    save: (design, Marks) =>
      call<Saved>('POST', `/api/designs/${design.Id}/marks`, { Revision: design.Revision, Marks }),
    close: async () => {
      await app.close();
      await executor.close();
    },
  };
}

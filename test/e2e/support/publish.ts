/** Publishes activities as authors do: uploads a workbook under a name. */
import { buildWorkbook, type WorkbookSpec } from '#test/support/build-workbook.ts';
import type { Browser, Portal } from './portal.ts';

export interface NewActivity {
  Name: string;
  workbook: WorkbookSpec;
  /** No function by default. */
  Function?: string;
  /** One run at a time by default. */
  hasSimultaneousRuns?: boolean;
}

/**
 * Uploads a workbook into the schema General as the user signed in to the browser, and returns the activity's Id. The
 * page is unchanged; `new-activity.test.ts` publishes with the form.
 */
export async function publish({ page }: Browser, portal: Portal, activity: NewActivity): Promise<number> {
  const { Name } = activity;
  const fields = {
    Id: '0',
    Schema: 'General',
    Name,
    Function: activity.Function ?? '',
    SingleRun: String(!activity.hasSimultaneousRuns),
  };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([new Uint8Array(await buildWorkbook(activity.workbook))]), `${Name}.xlsx`);
  const answer = await fetch(`${portal.address.replace(/\/$/, '')}/api/activities/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await tokenOf(page)}` },
    body: form,
  });
  const body = (await answer.json()) as { Id?: number };
  if (body.Id === undefined) throw new Error(`${Name} was not published: ${JSON.stringify(body)}`);
  return body.Id;
}

/** Returns the token of the session in this browser. */
export async function tokenOf(page: Browser['page']): Promise<string> {
  const session = await page.evaluate(() => localStorage.getItem('runsheet.session'));
  if (session === null) throw new Error(`nobody is signed in at ${page.url()}`);
  return (JSON.parse(session) as { token: string }).token;
}

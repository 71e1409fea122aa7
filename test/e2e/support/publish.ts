/** Activities as their authors make them: a workbook is uploaded under a name. */
import { buildWorkbook, type WorkbookSpec } from '#test/support/build-workbook.ts';
import type { Browser, Portal } from './portal.ts';

export interface NewActivity {
  Name: string;
  workbook: WorkbookSpec;
  /** None where absent. */
  Function?: string;
  /** One at a time where absent. */
  hasSimultaneousRuns?: boolean;
}

/**
 * Uploads a workbook into the schema General as the person who is signed in to the browser, and returns the activity's Id. The page stays as it is:
 * `new-activity.test.ts` publishes with the form.
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

/** The token of the session in this browser. */
export async function tokenOf(page: Browser['page']): Promise<string> {
  const session = await page.evaluate(() => localStorage.getItem('runsheet.session'));
  if (session === null) throw new Error(`nobody is signed in at ${page.url()}`);
  return (JSON.parse(session) as { token: string }).token;
}

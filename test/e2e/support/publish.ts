/** Activities as their authors make them: a workbook is uploaded under a name. */
import { buildWorkbook, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { tick } from './controls.ts';
import { telling, type Browser, type Portal } from './portal.ts';

export interface NewActivity {
  Name: string;
  workbook: WorkbookSpec;
  /** None where absent. */
  Function?: string;
  /** One at a time where absent. */
  hasSimultaneousRuns?: boolean;
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Uploads a workbook into the schema General, and answers the activity's Id. The browser shows the list of activities afterwards. */
export function publish({ page }: Browser, portal: Portal, activity: NewActivity): Promise<number> {
  const { Name } = activity;
  return telling(page, async () => {
    const buffer = await buildWorkbook(activity.workbook);
    await page.goto(`${portal.address}/activities/new/`);
    const file = page.locator('input[type=file]');
    // It stands above the form, and comes by itself.
    await file.waitFor({ state: 'attached' });
    await page.getByLabel('Activity Name').fill(Name);
    await page.getByLabel('Schema').selectOption('General');
    await page.getByText('More', { exact: true }).click();
    await page.getByLabel('Function').fill(activity.Function ?? '');
    if (activity.hasSimultaneousRuns) await tick(page.getByLabel('Prevent simultaneous runs'), false);
    await file.setInputFiles({ name: `${Name}.xlsx`, mimeType: XLSX, buffer });
    await page.getByRole('region', { name: 'What was found' }).waitFor();
    await page.getByRole('button', { name: 'Create Activity' }).click();
    await page.getByText('New activity created').waitFor();
    await page.goto(`${portal.address}/activities/`);
    const href = await page.getByRole('link', { name: Name, exact: true }).getAttribute('href');
    const id = /\/activities\/(\d+)/.exec(href ?? '')?.[1];
    if (id === undefined) throw new Error(`the activity ${Name} leads to ${href}`);
    return Number(id);
  });
}

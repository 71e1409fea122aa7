/**
 * A portal on a database that the test may change, with a folder that it polls, an external database and an activity
 * that doubles a number.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { firstSignIn, openBrowser, startPortal, type Browser, type Portal } from './portal.ts';
import { publish } from './publish.ts';

export interface AutomationPortal {
  portal: Portal;
  browser: Browser;
  /** The static folder Inbox. */
  inbox: string;
  /** Id of the activity Doubles. */
  id: number;
  /** The connection Shop, with a table Orders that has the rows 1 and 2. */
  shop: TestDatabase;
  /** The portal's own database. */
  database: TestDatabase;
}

/** Starts the portal before the first test. */
export function automationPortal(): AutomationPortal {
  const made = {} as AutomationPortal;
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runsheet-automation-'));
    const inbox = join(folder, 'in');
    await mkdir(inbox);
    const database = await testDatabase();
    const shop = await testDatabase({ migrated: false, isPostgres: true });
    Object.assign(made, { inbox, database, shop });
    await shop.knex.schema.createTable('Orders', (t) => void t.increments('Id'));
    await shop.knex('Orders').insert([{ Id: 1 }, { Id: 2 }]);
    const settings = {
      RUNSHEET_STATIC_FOLDERS: `Inbox=${inbox}`,
      RUNSHEET_SAMPLES: 'false',
      RUNSHEET_DATABASE_URL: database.url,
      RUNSHEET_CONNECTIONS: JSON.stringify({ Shop: { url: shop.url } }),
    };
    const [portal, browser] = await Promise.all([startPortal(settings), openBrowser()]);
    Object.assign(made, { portal, browser });
    await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
    const workbook = {
      sheets: [
        { name: 'S', cells: { A1: 1, B1: 'x', C1: { formula: 'A1*2', value: 2 }, D1: { value: 46_000, style: 1 } } },
      ],
      formats: ['dd/mm/yyyy'],
      names: { in_Amount: 'S!$A$1', in_Remark: 'S!$B$1', in_Day: 'S!$D$1', out_Twice: 'S!$C$1' },
    };
    made.id = await publish(browser, portal, { Name: 'Doubles', workbook });
  });
  afterAll(async () => {
    await made.browser.close();
    await made.portal.stop();
    await made.shop.drop();
    await made.database.drop();
    await rm(folder, { recursive: true, force: true });
  });
  return made;
}

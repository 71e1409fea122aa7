/**
 * Takes pictures of screens in both themes and checks each with axe:
 *
 *   node scripts/photograph.ts http://127.0.0.1:8080 admin PASSWORD FOLDER /activities/ /activities/versions/all …
 *
 * With the environment variable WIDTH=360 for a small screen. Ends with 1 where axe finds something serious.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { CHROMIUM_ARGS, chromiumPath, SCROLLBARS_HIDDEN } from './chromium.ts';

const [url, userName, password, folder, ...paths] = process.argv.slice(2);

interface Finding {
  id: string;
  impact: string | null;
  nodes: { target: string[]; failureSummary: string }[];
}

async function signIn(page: Page): Promise<void> {
  await page.goto(new URL('login', url).href);
  await page.getByLabel('Username').fill(userName!);
  await page.getByLabel('Password', { exact: true }).fill(password!);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByRole('heading', { name: 'Activities', level: 1 }).waitFor();
}

/** axe is handed over as text, because the page's content security policy lets no script in. */
async function findings(page: Page, axe: string): Promise<Finding[]> {
  const run = `(async () => { ${axe}; return (await axe.run(document, { resultTypes: ['violations'] })).violations; })()`;
  return page.evaluate(run);
}

async function photograph(page: Page, path: string, axe: string): Promise<boolean> {
  let isGood = true;
  const name = path.replace(/\W+/g, '-').replace(/^-|-$/g, '') || 'home';
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await page.goto(new URL(path.replace(/^\//, ''), url).href);
    // The page's stream of events is never idle.
    await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined);
    await page.screenshot({ path: join(folder!, `${name}-${theme}.png`) });
    for (const { id, impact, nodes } of await findings(page, axe)) {
      console.log(`${path} ${theme} ${impact}: ${id}\n  ${nodes[0]?.target.join(' ')}\n  ${nodes[0]?.failureSummary}`);
      if (impact === 'serious' || impact === 'critical') isGood = false;
    }
  }
  return isGood;
}

async function main(): Promise<number> {
  const executablePath = chromiumPath({ install: false });
  if (!executablePath || !folder || paths.length === 0) return 2;
  await mkdir(folder, { recursive: true });
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS, ignoreDefaultArgs: SCROLLBARS_HIDDEN });
  const page = await browser.newPage({ viewport: { width: Number(process.env['WIDTH'] ?? 1280), height: 800 } });
  await signIn(page);
  let isGood = true;
  for (const path of paths) isGood = (await photograph(page, path, axe)) && isGood;
  await browser.close();
  return isGood ? 0 : 1;
}

process.exitCode = await main();

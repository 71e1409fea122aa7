import { chromium } from 'playwright-core';
const URL0 = process.env.BASE ?? 'http://127.0.0.1:18085';
const [user, pw, out, ...paths] = process.argv.slice(2);
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
for (const width of [1280, 360]) {
  const ctx = await b.newContext({ viewport: { width, height: 900 } });
  const page = await ctx.newPage(); page.setDefaultTimeout(20000);
  page.on('console', (m) => { if (m.type() === 'error') console.log('console', page.url(), m.text()); });
  page.on('pageerror', (e) => console.log('pageerror', page.url(), e.message));
  if (user !== '-') {
    await page.goto(URL0 + '/login'); await page.getByLabel('Username').fill(user); await page.getByLabel('Password', { exact: true }).fill(pw); await page.getByRole('button', { name: 'Login' }).click(); await page.waitForURL('**/activities/**');
  }
  for (const p of paths) {
    for (const theme of ['light', 'dark'] as const) {
      if (theme === 'dark' && process.env.LIGHT) continue;
      await page.emulateMedia({ colorScheme: theme });
      await page.goto(URL0 + p); await page.waitForLoadState('networkidle', { timeout: 2500 }).catch(() => {});
      await page.screenshot({ path: `${out}/${user}-${p.replace(/\W+/g, '-')}-${width}-${theme}.png` });
      const o = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth); if (o > 0) console.log('overflow', p, width, o);
    }
  }
  await ctx.close();
}
await b.close();

/** Sessions that end because nobody is there. */
import { until } from '#test/support/until.ts';
import type { Browser } from './portal.ts';

/** As if nobody had touched the page for longer than the inactivity timeout: it shows the sign-in. */
export async function fallAsleep({ page }: Browser): Promise<void> {
  const login = page.getByRole('button', { name: 'Login' });
  // An answer that was still under way counts as activity: then once more.
  await until('the page ends its session', async () => {
    await page.evaluate(() => window.localStorage.setItem('runsheet.activity', '0')).catch(() => undefined);
    return login.waitFor({ timeout: 2000 }).then(
      () => true,
      () => false,
    );
  });
}

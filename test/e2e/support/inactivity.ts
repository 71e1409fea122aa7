/** Sessions that end because of inactivity. */
import { until } from '#test/support/until.ts';
import type { Browser } from './portal.ts';

/** Simulates inactivity beyond the timeout; the page then shows the sign-in. */
export async function fallAsleep({ page }: Browser): Promise<void> {
  const login = page.getByRole('button', { name: 'Login' });
  // A pending response counts as activity; then try again.
  await until('the page ends its session', async () => {
    await page.evaluate(() => window.localStorage.setItem('runsheet.activity', '0')).catch(() => undefined);
    return login.waitFor({ timeout: 2000 }).then(
      () => true,
      () => false,
    );
  });
}

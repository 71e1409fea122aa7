/** What axe calls serious or critical. The script comes by the debugger, so the page's own policy on scripts stays as it is. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser } from './portal.ts';

export interface Violation {
  id: string;
  impact: string;
  nodes: string[];
}

const SOURCE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

export async function seriousViolations({ page, context }: Browser): Promise<Violation[]> {
  // The page learns a moment later that the system's colours were changed.
  await page.waitForFunction(
    () => document.body.classList.contains('bp6-dark') === matchMedia('(prefers-color-scheme: dark)').matches,
  );
  // Colours go there by way of others, which nobody has to be able to read.
  await page.evaluate(async () => {
    const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(transitions.map((one) => one.finished));
  });
  const session = await context.newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: await readFile(SOURCE, 'utf8') });
  const run = `axe.run(document, { resultTypes: ['violations'] }).then((found) => JSON.stringify(found.violations.map(
    (one) => ({ id: one.id, impact: one.impact, nodes: one.nodes.map((node) => node.html.slice(0, 200)) }))))`;
  const { result } = await session.send('Runtime.evaluate', { expression: run, awaitPromise: true });
  await session.detach();
  const violations = JSON.parse(String(result.value)) as Violation[];
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
}

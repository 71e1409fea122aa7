/**
 * Finds accessibility violations that axe calls serious or critical. The debugger injects axe, which leaves the page's
 * script policy unchanged.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expectStill } from './layout.ts';
import type { Browser } from './portal.ts';

export interface Violation {
  id: string;
  impact: string;
  nodes: string[];
}

const SOURCE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

export interface AxeOptions {
  /** Checks only colour contrast, the only rule whose result depends on the theme. */
  isContrastOnly?: boolean;
}

export async function seriousViolations(
  { page, context }: Browser,
  { isContrastOnly = false }: AxeOptions = {},
): Promise<Violation[]> {
  // The page notices a change of the system's theme slightly later. Colours with a transition also keep their old value
  // for a frame, next to new ones.
  await page.waitForFunction(
    () => document.body.classList.contains('bp6-dark') === matchMedia('(prefers-color-scheme: dark)').matches,
  );
  await expectStill({ page });
  const session = await context.newCDPSession(page);
  const { result: loaded } = await session.send('Runtime.evaluate', { expression: `typeof axe === 'object'` });
  if (loaded.value !== true) await session.send('Runtime.evaluate', { expression: await readFile(SOURCE, 'utf8') });
  const rules = isContrastOnly ? `runOnly: ['color-contrast'], ` : '';
  // No enabled rule needs style sheets, which axe would otherwise fetch and parse again.
  const run = `axe.run(document, { ${rules}resultTypes: ['violations'], preload: false }).then((found) => JSON.stringify(found.violations.map(
    (one) => ({ id: one.id, impact: one.impact, nodes: one.nodes.map((node) => node.html.slice(0, 200)) }))))`;
  const { result } = await session.send('Runtime.evaluate', { expression: run, awaitPromise: true });
  await session.detach();
  const violations = JSON.parse(String(result.value)) as Violation[];
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
}

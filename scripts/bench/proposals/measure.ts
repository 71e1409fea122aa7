/**
 * npm run bench:proposals -- FOLDER [--part tuned|kept] [--details]
 * Compares the proposals for the workbooks of labels.json with the labels that people gave them.
 * Finds the files in FOLDER by their SHA-256.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import { openPackage } from '#server/executors/workbook/package.ts';
import type { Proposal, ProposalRole } from '#shared/contract/proposals.ts';
import { proposeMarks } from '#server/executors/workbook/proposals/propose-marks.ts';
import { readLooks } from '#server/executors/workbook/proposals/workbook-looks.ts';
import { countMatches } from './match.ts';
import type { LabelledWorkbook } from './match.ts';

const LABELS = new URL('labels.json', import.meta.url);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { part: { type: 'string' }, details: { type: 'boolean', default: false } },
});
const folder = positionals[0];
if (folder === undefined) {
  console.error('Usage: npm run bench:proposals -- FOLDER [--part tuned|kept] [--details]');
  process.exit(2);
}
const files = new Map(
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.xls[xm]$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [createHash('sha256').update(readFileSync(path)).digest('hex'), path]),
);
const labels = JSON.parse(readFileSync(LABELS, 'utf8')) as LabelledWorkbook[];
for (const part of ['tuned', 'kept'] as const) {
  if (values.part === undefined || values.part === part) await measurePart(part);
}

async function measurePart(part: 'tuned' | 'kept'): Promise<void> {
  const sum = { found: 0, wanted: 0, right: 0, preselected: 0, named: 0, judged: 0, files: 0, longestMs: 0 };
  const roles: Record<ProposalRole, { found: number; wanted: number }> = {
    input: { found: 0, wanted: 0 },
    output: { found: 0, wanted: 0 },
  };
  for (const workbook of labels.filter((one) => one.part === part)) {
    const path = files.get(workbook.sha256);
    if (path === undefined) continue;
    const start = performance.now();
    const source = await openPackage(readFileSync(path));
    const model = readWorkbook(source);
    const proposals = proposeMarks(model, readLooks(source, model));
    sum.longestMs = Math.max(sum.longestMs, performance.now() - start);
    const counts = countMatches(workbook, proposals);
    sum.files++;
    for (const role of ['input', 'output'] as const) {
      roles[role].found += counts[role].found;
      roles[role].wanted += counts[role].wanted;
      sum.found += counts[role].found;
      sum.wanted += counts[role].wanted;
    }
    sum.right += counts.right;
    sum.preselected += counts.preselected;
    sum.named += counts.named;
    sum.judged += counts.judged;
    if (values.details) printDetails(workbook, proposals, counts);
  }
  const share = (a: number, b: number): string => `${((100 * a) / Math.max(1, b)).toFixed(1)} % (${a} of ${b})`;
  console.log(`${part}: ${sum.files} workbooks, the slowest ${Math.round(sum.longestMs)} ms`);
  console.log(`  found among the first 12      ${share(sum.found, sum.wanted)}`);
  console.log(`    inputs                      ${share(roles.input.found, roles.input.wanted)}`);
  console.log(`    outputs                     ${share(roles.output.found, roles.output.wanted)}`);
  console.log(`  correct, of the preselected   ${share(sum.right, sum.preselected)}`);
  console.log(`  names correct, of the found   ${share(sum.named, sum.judged)}`);
}

function printDetails(
  workbook: LabelledWorkbook,
  proposals: readonly Proposal[],
  counts: ReturnType<typeof countMatches>,
): void {
  if (counts.problems.length === 0) return;
  console.log(`\n## ${workbook.repository} ${workbook.path}`);
  for (const problem of counts.problems) console.log(`   ${problem}`);
  for (const [index, { role, sheet, range, name, score, preselected, shape }] of proposals.slice(0, 16).entries()) {
    console.log(`   ${index + 1}${preselected ? '*' : ' '} ${role} ${sheet}!${range} ${shape} ${name} ${score}`);
  }
}

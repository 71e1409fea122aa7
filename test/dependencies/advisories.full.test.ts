/** Current security advisories: they change without us, and reading them requires the network. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { auditProblems, readAuditReport, type Allowed } from './audit-report.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Severe advisories that cannot be fixed for some time. None at present. */
const ALLOWED: readonly Allowed[] = [];

test('the packages we depend on have no grave advisory', { timeout: 60_000 }, async (context) => {
  const report = readAuditReport(await npmAudit());
  if (report === null) return context.skip('the audit service cannot be reached');
  expect(auditProblems(report, ALLOWED, new Date().toISOString().slice(0, 10))).toEqual([]);
});

/** npm exits with 1 both if it finds something and if it cannot reach the service. */
async function npmAudit(): Promise<string> {
  const args = ['audit', '--omit=dev', '--package-lock-only', '--json', '--fetch-retries=0', '--fetch-timeout=15000'];
  const ended = promisify(execFile)('npm', args, { cwd: ROOT, timeout: 45_000, maxBuffer: 64 * 1024 * 1024 });
  const { stdout } = await ended.catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }));
  return stdout;
}

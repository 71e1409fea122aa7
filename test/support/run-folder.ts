/** The folder of this run of vitest: in memory where the machine has room. global-setup.ts makes it, and removes it with all that is left in it. */
export function runFolder(): string {
  const folder = process.env['RUNSHEET_TEST_RUN_DIR'];
  if (!folder) throw new Error('RUNSHEET_TEST_RUN_DIR is missing: vitest has not run test/support/global-setup.ts');
  return folder;
}

/**
 * The folder of this vitest run, in memory if the machine has enough. global-setup.ts creates it and removes it with
 * all its contents.
 */
export function runFolder(): string {
  const folder = process.env['RUNSHEET_TEST_RUN_DIR'];
  if (!folder) throw new Error('RUNSHEET_TEST_RUN_DIR is missing: vitest has not run test/support/global-setup.ts');
  return folder;
}

import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

function run(code: string): { status: number | null; stderr: string } {
  const script = `
    import { exitOnStartError, StartError } from '#server/base/start-error.ts';
    import { loadConfig } from '#server/config/load-config.ts';
    try { ${code} } catch (error) { exitOnStartError(error); }`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return { status, stderr };
}

it('ends the process with code 2 and one line for a fault of the operator', () => {
  expect(run("loadConfig({ RUNSHEET_PORT: 'x' })")).toEqual({
    status: 2,
    stderr: 'runsheet: RUNSHEET_PORT must be a whole number from 0 to 65535, not "x"\n',
  });
  expect(run("throw new StartError('first\\n  second')").stderr).toBe('runsheet: first second\n');
});

it('leaves every other error as it is', () => {
  const { status, stderr } = run("throw new TypeError('a bug')");
  expect(status).toBe(1);
  expect(stderr).toContain('TypeError: a bug');
});

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { cellsOf } from '#test/support/proposed-marks.ts';

const SCRIPT = fileURLToPath(new URL('propose.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'propose-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function run(files: readonly string[]): Promise<{ code: number; output: unknown }> {
  return await new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', SCRIPT, ...files],
      (_, output) => {
        resolve({ code: child.exitCode ?? -1, output: JSON.parse(output) });
      },
    );
  });
}

it('prints the proposals of each file, and the reason for a file that cannot be read', async () => {
  const good = join(folder, 'good.xlsx');
  const bad = join(folder, 'bad.xlsx');
  const missing = join(folder, 'missing.xlsx');
  const rows = [
    ['Hours', 8],
    ['Pay', '=B1*20'],
  ];
  writeFileSync(good, await buildWorkbook({ sheets: [{ name: 'Pay', cells: cellsOf(rows) }] }));
  writeFileSync(bad, 'no workbook');
  const { code, output } = await run([bad, good, missing]);
  expect(code).toBe(1);
  expect(output).toEqual([
    { path: bad, proposals: [], error: expect.stringContaining('not an Excel workbook') },
    {
      path: good,
      proposals: [
        {
          sheet: 'Pay',
          range: 'B1',
          role: 'input',
          name: 'Hours',
          preselected: true,
          score: expect.any(Number),
          reason: '1 formula reads it; the label on the left says ‘Hours’.',
        },
        expect.objectContaining({ range: 'B2', role: 'output', name: 'Pay' }),
      ],
    },
    { path: missing, proposals: [], error: expect.stringContaining('missing.xlsx') },
  ]);
  expect((await run([good])).code).toBe(0);
});

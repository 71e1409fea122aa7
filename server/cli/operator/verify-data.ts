/**
 * `runsheet verify-data [--read]`: checks that each stored file exists (with --read also that its content is
 * unchanged), which files nothing refers to, and whether the log of security actions is unchanged. Returns 1 if
 * something is wrong.
 */
import { verifyDataCommand } from './backup-commands.ts';
import { loadConfig } from '#server/config/load-config.ts';
import { counted } from '#shared/codecs/counted.ts';
import { ExitCode } from '../cli-error.ts';
import type { Terminal } from '../terminal.ts';

const MAX_NAMED_FILES = 20;

export async function verifyStoredData({ print, printMessage, env }: Terminal, readFiles: boolean): Promise<ExitCode> {
  const { files, missing, changed, unreferenced, chain } = await verifyDataCommand(loadConfig(env), { readFiles });
  if (missing.length > 0)
    printMessage(`${counted(missing.length, 'file is', 'files are')} missing in the store: ${listOf(missing)}`);
  if (changed.length > 0) {
    const are = counted(changed.length, 'file was changed', 'files were changed');
    printMessage(`${are}: ${listOf(changed)}`);
  }
  if (chain.defect) {
    printMessage(`The log of security actions was changed: row ${chain.defect.Id} ${chain.defect.reason}.`);
  }
  print(`${counted(files, 'stored file')} and ${counted(chain.count, 'security action')} were checked.`);
  const belong = counted(unreferenced, 'file in the store belongs', 'files in the store belong');
  print(`${belong} to no row; the portal removes such files after a day.`);
  const isDamaged = missing.length > 0 || changed.length > 0 || Boolean(chain.defect);
  return isDamaged ? ExitCode.RunFailed : ExitCode.Succeeded;
}

const listOf = (ids: readonly string[]): string =>
  `${ids.slice(0, MAX_NAMED_FILES).join(', ')}${ids.length > MAX_NAMED_FILES ? ', …' : ''}`;

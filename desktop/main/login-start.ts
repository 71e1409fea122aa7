/** Start at login on Linux, through a desktop autostart entry. Source: Desktop Application Autostart Specification. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** @param executable path of the installed program */
export async function setLoginStart(configFolder: string, executable: string, isWanted: boolean): Promise<void> {
  const file = join(configFolder, 'autostart/runsheet.desktop');
  if (!isWanted) return rm(file, { force: true });
  await mkdir(dirname(file), { recursive: true });
  await writeFile(
    file,
    `[Desktop Entry]\nType=Application\nName=Runsheet\nExec=${quoted(executable)}\nTerminal=false\n`,
  );
}

/** Quotes a path for Exec; the specification requires escaping these four characters. */
const quoted = (path: string): string =>
  `"${path.replace(/["`$\\]/g, (character) => `\\${character}`).replaceAll('%', '%%')}"`;

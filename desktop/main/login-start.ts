/** Start at login on Linux: an entry of the desktop's own kind. Source: Desktop Application Autostart Specification. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** @param executable of the program, as it was installed */
export async function setLoginStart(configFolder: string, executable: string, isWanted: boolean): Promise<void> {
  const file = join(configFolder, 'autostart/runsheet.desktop');
  if (!isWanted) return rm(file, { force: true });
  await mkdir(dirname(file), { recursive: true });
  await writeFile(
    file,
    `[Desktop Entry]\nType=Application\nName=Runsheet\nExec=${quoted(executable)}\nTerminal=false\n`,
  );
}

/** Of a path within Exec: these four are the specification's own. */
const quoted = (path: string): string =>
  `"${path.replace(/["`$\\]/g, (character) => `\\${character}`).replaceAll('%', '%%')}"`;

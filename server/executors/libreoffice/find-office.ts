/** Where LibreOffice is installed. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';

/** Where packages put it that leave PATH alone. */
const USUAL_FOLDERS = [
  '/usr/lib/libreoffice/program',
  '/usr/lib64/libreoffice/program',
  '/opt/libreoffice/program',
  '/snap/libreoffice/current/lib/libreoffice/program',
  '/Applications/LibreOffice.app/Contents/MacOS',
];

export interface InstalledOffice {
  program: string;
  /** '7.4'; '' where it does not say. */
  version: string;
  /** Folders it is not to see: those of the server. */
  hidden?: readonly string[];
}

/** What findOffice finds, with its version. 'off' finds nothing. */
export function findInstalledOffice(configured: string, env: NodeJS.ProcessEnv = process.env): InstalledOffice | null {
  const program = configured === 'off' ? null : findOffice(configured, env);
  return program === null ? null : { program, version: versionOf(program) };
}

/** From the file every LibreOffice has beside its program, or on a Mac among its resources. */
function versionOf(program: string): string {
  const folder = dirname(program);
  for (const name of ['bootstraprc', '../Resources/bootstraprc']) {
    const file = join(folder, name);
    const version = existsSync(file) ? /^ProductKey=\D*([\d.]+)/m.exec(readFileSync(file, 'utf8')) : null;
    if (version) return version[1]!;
  }
  return '';
}

/**
 * The program itself, 'soffice.bin' or 'soffice', where there is one: below `configured` (the program, its start script or
 * its folder), or else on PATH and in the usual folders. Null where there is none, and on Windows, where it is not used.
 */
export function findOffice(configured: string, env: NodeJS.ProcessEnv = process.env): string | null {
  if (process.platform === 'win32') return null;
  if (configured !== '') return programIn(configured);
  const onPath = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const folder of onPath) {
    for (const name of ['soffice', 'libreoffice']) {
      const found = existsSync(join(folder, name)) ? programIn(join(folder, name)) : null;
      if (found) return found;
    }
  }
  for (const folder of USUAL_FOLDERS) {
    const found = programIn(folder);
    if (found) return found;
  }
  return null;
}

function programIn(path: string): string | null {
  if (!existsSync(path)) return null;
  const real = realpathSync(path);
  if (basename(real) === 'soffice.bin') return real;
  for (const folder of [real, dirname(real), join(real, 'program')]) {
    const program = join(folder, 'soffice.bin');
    if (existsSync(program)) return program;
  }
  const mac = join(real, 'soffice');
  return existsSync(mac) ? mac : null;
}

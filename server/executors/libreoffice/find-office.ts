/** Finds the LibreOffice installation. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';

/** Install folders of packages that do not add LibreOffice to PATH. */
const USUAL_FOLDERS = [
  '/usr/lib/libreoffice/program',
  '/usr/lib64/libreoffice/program',
  '/opt/libreoffice/program',
  '/snap/libreoffice/current/lib/libreoffice/program',
  '/Applications/LibreOffice.app/Contents/MacOS',
];

export interface InstalledOffice {
  program: string;
  /** For example '7.4'; '' if unknown. */
  version: string;
  /** Folders of the server that LibreOffice must not see. */
  hidden?: readonly string[];
}

/** Returns the result of findOffice with its version. Returns null if `configured` is 'off'. */
export function findInstalledOffice(configured: string, env: NodeJS.ProcessEnv = process.env): InstalledOffice | null {
  const program = configured === 'off' ? null : findOffice(configured, env);
  return program === null ? null : { program, version: versionOf(program) };
}

/**
 * Reads the version from bootstraprc, which every LibreOffice has next to its program, or on macOS among its resources.
 */
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
 * Returns the path of the program itself, 'soffice.bin' or 'soffice'. Looks at `configured` (the program, its start
 * script or its folder) if set, otherwise at PATH and the usual folders. Returns null if LibreOffice is not found, and
 * always on Windows, where it is not used.
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

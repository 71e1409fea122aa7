/**
 * Converts the sources of the package to JavaScript and declarations, file by file. The paths stay the same, so that
 * threads, migrations and messages are found.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin, stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDERS = ['server', 'shared', 'migrations'];
/** Translations, which the server reads. */
const MESSAGES = 'shared/messages';
const IS_TEST = /\.test\.ts$|\/testing\//;
/** Modules through which other programs use the package. */
const ENTRIES = ['server/executors/workbook/library/calculation.ts', 'shared/client/package-entry.ts'];

/** A path of a project file in code: an import, or the start of a thread. */
const OWN_FILE = /(['"])((?:\.{1,2}\/|#)[^'"\n]*|[a-z-]+)\.ts\1/g;
const PACKAGE =
  /(?:^import |^\} from |^(?:import|export) [^'\n]*from |\bimport\(|\brequire\(|\bimport\.meta\.url\)\()'(@[\w.-]+\/[\w.-]+|\w[\w.-]*)(?:\/[^']*)?'/gm;

/** Returns the packages that the emitted files import. */
export function emitJavaScript(root: string, target: string): Set<string> {
  const imported = new Set<string>();
  cpSync(join(root, MESSAGES), join(target, MESSAGES), { recursive: true, filter: (path) => !path.endsWith('.ts') });
  for (const path of FOLDERS.flatMap((folder) => listSources(root, folder))) {
    const code = toJavaScript(readFileSync(join(root, path), 'utf8'));
    for (const [, name] of code.matchAll(PACKAGE))
      if (!isBuiltin(name!) && !name!.startsWith('node:')) imported.add(name!);
    const file = join(target, path.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
  return imported;
}

function toJavaScript(source: string): string {
  const code = stripTypeScriptTypes(source).replaceAll(/[ \t]+$/gm, '');
  return code.replaceAll(OWN_FILE, (_, quote: string, path: string) => `${quote}${path}.js${quote}`);
}

function listSources(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !IS_TEST.test(path));
}

/** Writes declarations of the entries and of everything they refer to. */
export function emitDeclarations(root: string, target: string): void {
  const config = join(target, 'tsconfig.json');
  const options = {
    composite: false,
    declaration: true,
    emitDeclarationOnly: true,
    lib: ['ES2024', 'ESNext.Iterator', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    rootDir: root,
    outDir: target,
  };
  const contract = listSources(root, 'shared/contract');
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: options,
      files: [...ENTRIES, ...contract].map((path) => join(root, path)),
    }),
  );
  const tsc = fileURLToPath(new URL('./bin/tsc', import.meta.resolve('typescript/package.json')));
  execFileSync(process.execPath, [tsc, '-p', config], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  rmSync(config);
}

/** The minimal Electron program, as the lower bound for the client: a window that shows a page, and nothing else. */
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @param load a JavaScript expression */
const mainOf = (load: string): string => `
const { app, BrowserWindow } = require('electron');
app.enableSandbox();
app.whenReady().then(() => {
  const window = new BrowserWindow({ show: false, webPreferences: { sandbox: true } });
  window.once('ready-to-show', () => window.show());
  window.${load};
});
`;

/**
 * Writes a program that shows a local page. Returns its folder, in the form that createMachine expects. @param text
 * text of that page
 */
export const writeEmptyProgram = (text: string): Promise<string> =>
  writeProgram(text, "loadFile('renderer/index.html')");

/**
 * Writes a program that shows a web page the way browsers do. Returns its folder, in the form that createMachine
 * expects.
 */
export const writeBrowserProgram = (address: string): Promise<string> =>
  writeProgram('', `loadURL(${JSON.stringify(address)})`);

async function writeProgram(text: string, load: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-empty-'));
  // The program is started as another user.
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'renderer'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'empty', main: 'main.cjs' }));
  await writeFile(join(folder, 'main.cjs'), mainOf(load));
  await writeFile(join(folder, 'renderer/index.html'), `<!doctype html><title>Empty</title><p>${text}</p>`);
  return folder;
}

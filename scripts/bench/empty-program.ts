/** What a program on Electron takes at the least: a window with a page of one line, and nothing else. */
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAIN = `
const { app, BrowserWindow } = require('electron');
app.enableSandbox();
app.whenReady().then(() => {
  const window = new BrowserWindow({ show: false, webPreferences: { sandbox: true } });
  window.once('ready-to-show', () => window.show());
  window.loadFile('renderer/index.html');
});
`;

/** Answers its folder, as createMachine takes it. @param text of its page */
export async function writeEmptyProgram(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-empty-'));
  // It is started as another user.
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'renderer'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'empty', main: 'main.cjs' }));
  await writeFile(join(folder, 'main.cjs'), MAIN);
  await writeFile(join(folder, 'renderer/index.html'), `<!doctype html><title>Empty</title><p>${text}</p>`);
  return folder;
}

import { expect, test } from 'vitest';
import { isPackaged, refusedSwitch } from './switches.ts';

test.each([
  '--remote-debugging-port=0',
  '-remote-debugging-port=9222',
  '--remote-debugging-pipe',
  '--inspect',
  '--inspect-brk=0',
  '--js-flags=--expose-gc',
  '--no-sandbox',
  '--load-extension=/tmp/x',
  '--user-data-dir=/tmp/x',
  '--proxy-server=127.0.0.1:1',
  '--renderer-cmd-prefix=sh',
  '--ignore-certificate-errors',
  '--enable-features=Anything',
  '--',
  '-',
])('%s is refused', (argument) => {
  for (const platform of ['linux', 'win32', 'darwin'] as const) {
    expect(refusedSwitch(['runsheet://open/sessions', '--disable-gpu', argument], platform)).toBe(argument);
  }
});

test('links, files and harmless switches are not', () => {
  const args = ['runsheet://open/sessions', '/home/a/b', '--ozone-platform-hint=auto', '--force-device-scale-factor=2'];
  expect(refusedSwitch(args, 'linux')).toBeNull();
  expect(refusedSwitch(['-psn_0_12345', '--lang=de'], 'darwin')).toBeNull();
  expect(refusedSwitch(['--DISABLE-GPU', 'C:\\a'], 'win32')).toBeNull();
});

test('on Windows switches begin with a slash, too, and letter case does not count', () => {
  expect(refusedSwitch(['/Remote-Debugging-Port=0'], 'win32')).toBe('/Remote-Debugging-Port=0');
});

test('a program is packaged where it lies in an archive', () => {
  expect(isPackaged('/opt/Runsheet/resources/app.asar')).toBe(true);
  expect(isPackaged('C:\\Runsheet\\resources\\app.asar')).toBe(true);
  expect(isPackaged('/home/ada/runsheet/build/out/desktop')).toBe(false);
});

import { expect, test } from 'vitest';
import { MESSAGES, type Handlers } from '#bridge/messages.ts';
import { createDoor, isPage } from './door.ts';

const called: unknown[][] = [];
const handlers = new Proxy({} as Handlers<string>, {
  get:
    (_target, name) =>
    (caller: string, ...args: unknown[]) => {
      called.push([name, caller, ...args]);
      if (args[0] === 'https://fails.example.org') throw new Error('a path of the machine');
      return null;
    },
});
const refused: string[] = [];
const door = createDoor(handlers, (text) => refused.push(text));
const APP = { caller: 'window', url: 'runsheet://app/activities/', isMainFrame: true };

test('a message of the right page, from its main frame and in its shape, reaches its handler', async () => {
  await door('openExternal', APP, ['https://a.example.org']);
  expect(called).toEqual([['openExternal', 'window', 'https://a.example.org']]);
});

test.each([
  ['of no such name', 'evaluate', APP, []],
  ['of a name that all objects have', 'constructor', APP, []],
  ['of the other page', 'listServers', APP, []],
  ['from a frame', 'openExternal', { ...APP, isMainFrame: false }, ['https://a.example.org']],
  ['from another site', 'openExternal', { ...APP, url: 'https://app/' }, ['https://a.example.org']],
  ['from a host that begins alike', 'openExternal', { ...APP, url: 'runsheet://app.evil/' }, ['https://a.example.org']],
  ['from no page', 'openExternal', { ...APP, url: '' }, ['https://a.example.org']],
  ['from no window of ours', 'openExternal', { ...APP, caller: null }, ['https://a.example.org']],
  ['with a path instead of an address', 'openExternal', APP, ['file:///etc/passwd']],
  ['with too much', 'openExternal', APP, ['https://a.example.org', 1]],
  ['with too little', 'openExternal', APP, []],
  ['with what is no text', 'openExternal', APP, [{ toString: 'https://a.example.org' }]],
  ['with the name of no account', 'openServer', { ...APP, url: 'runsheet://servers/choose' }, ['../../x']],
])('a message %s is refused', async (_what, name, sender, args) => {
  called.length = 0;
  await expect(door(name, sender, args)).rejects.toThrow(/^refused$/);
  expect(called).toEqual([]);
  expect(refused.pop()).toContain('refused the message');
});

test('an error in main goes to its log, and not to the page', async () => {
  await expect(door('openExternal', APP, ['https://fails.example.org'])).rejects.toThrow(/^failed$/);
});

test('every message names its page, and pages are distinguished by protocol and host', () => {
  expect(Object.values(MESSAGES).every(({ from }) => from === 'app' || from === 'servers')).toBe(true);
  expect(isPage('runsheet://servers/choose', 'servers')).toBe(true);
  expect(isPage('runsheet://servers/choose', 'app')).toBe(false);
});

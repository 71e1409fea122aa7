import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAllowed, loadPolicy, NO_POLICY, policyPath } from './policy.ts';

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runsheet-policy-'));
  file = join(folder, 'policy.json');
});
afterAll(() => rm(folder, { recursive: true }));

const policyOf = async (content: unknown) => {
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return loadPolicy(file);
};

describe('a policy', () => {
  test('that is not there allows everything', async () => {
    expect(await loadPolicy(join(folder, 'none.json'))).toEqual(NO_POLICY);
    expect(isAllowed(NO_POLICY, 'https://portal.example.org/')).toBe(true);
  });

  test('names servers as people would, and may forbid others', async () => {
    const policy = await policyOf({
      version: 1,
      servers: ['Portal.example.org/login'],
      otherServers: false,
      handOff: false,
    });
    expect(policy).toEqual({ servers: ['https://portal.example.org/'], otherServers: false, handOff: false });
    expect(isAllowed(policy, 'https://portal.example.org/')).toBe(true);
    expect(isAllowed(policy, 'https://elsewhere.example.org/')).toBe(false);
  });

  test('says where dictionaries are, or that there are none', async () => {
    const dictionaries = 'files.example.org/dictionaries';
    expect((await policyOf({ version: 1, dictionaries })).dictionaries).toBe('https://files.example.org/dictionaries/');
    expect((await policyOf({ version: 1, dictionaries: 'none' })).dictionaries).toBe('none');
    expect((await policyOf({ version: 1 })).dictionaries).toBeUndefined();
  });

  test.each([
    [
      'names dictionaries without encryption',
      { version: 1, dictionaries: 'http://a.example.org/' },
      'must begin with https',
    ],
    ['is no JSON', '{', 'is no JSON'],
    ['has a field that is misspelt', { version: 1, otherserver: false }, 'is not valid'],
    ['says it by a text', { version: 1, otherServers: 'false' }, '/otherServers'],
    ['is of another version', { version: 2 }, '/version'],
    [
      'names a server without encryption',
      { version: 1, servers: ['http://portal.example.org'] },
      'must begin with https',
    ],
  ])('that %s is followed by nobody, and says why', async (_what, content, text) => {
    await expect(policyOf(content)).rejects.toThrow(text);
    await expect(policyOf(content)).rejects.toThrow(file);
  });

  test('that cannot be read counts as one, not as none', async () => {
    await expect(loadPolicy(folder)).rejects.toThrow('cannot be read');
  });

  test('lies where an administrator alone can write', () => {
    expect(policyPath('linux', {})).toBe('/etc/runsheet/policy.json');
    expect(policyPath('darwin', {})).toBe('/Library/Application Support/Runsheet/policy.json');
    expect(policyPath('win32', { ProgramFiles: 'D:\\Programs' })).toBe('D:\\Programs\\Runsheet\\policy.json');
  });
});

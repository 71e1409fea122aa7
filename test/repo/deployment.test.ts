/** The settings, calls and tables named in build/deploy match the program. */
import { expect, test } from 'vitest';
import { listFiles, readText } from './source-files.ts';

const files = listFiles('build/deploy', /(Containerfile|Caddyfile|\.(yaml|service|conf))$/);

test('deployments set settings that there are, and look at paths and a table that there are', () => {
  expect(files.length).toBe(7);
  const known = readText('docs/configuration.md');
  const contract = readText('shared/contract/activities.ts');
  for (const path of files) {
    const text = readText(path);
    const settings = new Set(text.match(/RUNSHEET_[A-Z0-9_]*[A-Z0-9]\b(?!_)/g));
    expect([...settings].filter((name) => !known.includes(`\`${name}\``))).toEqual([]);
    for (const [, call] of text.matchAll(/path: (\/api\/[a-z/]+)/g)) expect(contract).toContain(`'${call}'`);
  }
  expect(readText('build/deploy/kubernetes.yaml')).toContain('from "QueueDepth"');
});

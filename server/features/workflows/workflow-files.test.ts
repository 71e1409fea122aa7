/** Tests exporting workflows to files and importing them. */
import { describe, expect } from 'vitest';
import { test as base } from '#test/support/fixtures/workflow-portal.ts';
import { signedInUser } from '#test/support/users.ts';

const test = base.extend('files', { scope: 'file' }, ({ workflows: { edited }, portal }) => {
  async function exported(): Promise<string> {
    const Id = await edited();
    const token = (await portal.get(`workflows/export/${Id}/1`, portal.runner)).body.result;
    const file = await portal.app.http.inject({ url: `/api/files/download/${token}` });
    expect(file.headers['content-disposition']).toContain('Month-end close 1.workflow.json');
    return file.payload;
  }

  const imported = (Content: string, more: object = {}) =>
    portal.post('workflows/import', { Content, Schema: 'Finance', ...more });
  return { exported, imported };
});

describe('a file of a workflow', () => {
  test('names activities instead of numbers, and is a new workflow where it is imported', async ({
    workflows: { workflow },
    portal: { details },
    files: { exported, imported },
  }) => {
    const Content = await exported();
    expect(JSON.parse(Content)).toMatchObject({
      Format: 'runsheet-workflow',
      FormatVersion: 1,
      Name: 'Month-end close',
      Steps: [{ Activity: { Schema: 'Finance', Name: 'Collect' } }, {}],
    });
    expect(Content).not.toContain('ActivityId');
    const UniqueId = 'import of a workflow';
    const answers = await Promise.all([
      imported(Content, { Name: 'Copy', UniqueId }),
      imported(Content, { Name: 'Copy', UniqueId }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [{ Id }, other] = answers.map(({ body }) => body.result);
    expect(other.Id).toBe(Id);
    expect(await workflow(Id)).toMatchObject({ Name: 'Copy', Version: 1, Faults: [], ChangeDescription: 'Imported' });
    expect((await details(Id)).Inputs).toHaveLength(4);
  });

  test.for([
    ['no JSON', () => '<xml/>', 'The file is not an exported workflow: it is not valid JSON'],
    ['another file', () => '{"Format":"other"}', /^The file is not an exported workflow: /],
    ['a list', () => '[]', /^The file is not an exported workflow: /],
    [
      'fields it does not have',
      (file: string) => JSON.stringify({ ...JSON.parse(file), __proto__x: 1 }),
      /^The file is not an exported workflow/,
    ],
    ['deep nesting', () => `${'['.repeat(100_000)}${']'.repeat(100_000)}`, /^The file is not an exported workflow/],
    [
      'activities that are not there',
      (file: string) => file.replaceAll('"Collect"', '"Gone"'),
      "These activities of the workflow do not exist here: 'Gone' in Finance",
    ],
    ['a graph that cannot be run', (file: string) => file.replace('"Limit"', '"Other"'), /./],
  ] as const)('is refused with %s', async ([, change, message], { files: { imported, exported } }) => {
    const { status, body } = await imported(change(await exported()));
    expect(status).toBe(400);
    if (typeof message === 'string') expect(body.message).toBe(message);
    else expect(body.message).toMatch(message);
  });

  test('is imported into schemas in which one may edit checklists alone', async ({ portal, files: { exported } }) => {
    const Content = await exported();
    const author = await signedInUser(portal.app, [{ right: 'sk.EditChecklist', Schema: 'Finance' }]);
    expect((await portal.post('workflows/import', { Content, Schema: 'Sales' }, author)).status).toBe(403);
    const unseen = await portal.post('workflows/import', { Content, Schema: 'Finance' }, author);
    expect([unseen.status, unseen.body.message]).toEqual([400, 'Collect: There is no such activity']);
  });
});

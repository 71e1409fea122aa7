/** Tests comparing workflows with manifests, and applying them. */
import { describe, expect } from 'vitest';
import { readManifest } from '#shared/manifests/read-manifest.ts';
import { checkManifest } from '#shared/manifests/check-manifest.ts';
import { writeManifest } from '#shared/manifests/write-manifest.ts';
import type { WorkflowManifest } from '#shared/manifests/workflow-manifest.ts';
import { test as base } from '#test/support/fixtures/workflow-portal.ts';
import { signedInUser } from '#test/support/users.ts';

const test = base.extend('manifests', { scope: 'file' }, ({ portal, workflows }) => {
  const plan = async (Manifest: object) => portal.post('workflows/plan', { Manifest });
  const apply = async (Manifest: object, more: object = {}) => portal.post('workflows/apply', { Manifest, ...more });
  /** Creates a workflow of Collect and Report with this name, and returns it as a manifest. */
  async function close(name: string): Promise<WorkflowManifest> {
    const Id = await workflows.edited();
    const { body } = await portal.get(`workflows/manifest/${Id}/1`);
    return { ...body.result, name };
  }
  /** Sends a manifest through its text, as people keep it. */
  const throughText = (manifest: object): object => {
    const { value, problems } = readManifest(writeManifest(manifest));
    expect([problems, checkManifest(value)]).toEqual([[], []]);
    return value as object;
  };
  return { plan, apply, close, throughText };
});

/** A workflow with every kind of step, and every kind of source. */
const everything = (name: string, users: string[]) => ({
  apiVersion: 'runsheet/v1',
  kind: 'Workflow',
  schema: 'Finance',
  name,
  description: 'yes: "all"\nof it',
  group: 'no',
  inputs: [
    { name: 'Rate', type: 'Number', default: { constant: 0.05 } },
    { name: 'Month' },
    { name: 'Floor', type: 'Number', default: { formula: '=Inputs.[Rate] * 2' } },
    { name: 'Papers' },
  ],
  steps: [
    {
      kind: 'Activity',
      key: 'collect',
      name: 'Collect',
      position: { x: 10.5, y: -3 },
      activity: { schema: 'Finance', name: 'Collect' },
      inputs: [
        { name: 'Month', fromInput: 'Month' },
        { name: 'Limit', formula: '=Inputs.[Floor] * 10' },
      ],
      mayRepeat: true,
    },
    {
      kind: 'Decision',
      key: 'due',
      name: 'Is anything due?',
      after: [{ step: 'collect', when: 'success' }],
      condition: 'Total > 0',
      values: [{ name: 'Total', fromOutput: { step: 'collect', output: 'Total' } }],
    },
    {
      kind: 'ForEach',
      key: 'each',
      name: 'Each line',
      after: [{ step: 'due', when: 'yes' }],
      onFailure: 'Continue',
      activity: { schema: 'Finance', name: 'Report' },
      inputs: [
        { name: 'Period', fromColumn: 'Name' },
        { name: 'Rate', constant: 0.5 },
        { name: 'Papers', fromInput: 'Papers' },
      ],
      rows: { fromOutput: { step: 'collect', output: 'Lines' } },
      keyColumn: 'Name',
      concurrentRows: 2,
      stopAfterFailures: 3,
    },
    {
      kind: 'Approval',
      key: 'ok',
      name: 'Approve',
      after: [
        { step: 'each', when: 'always' },
        { step: 'due', when: 'no' },
      ],
      join: 'AnySucceeded',
      users,
      needed: 1,
      starterMayApprove: true,
      text: 'Look at it.\n\n  Twice: #1',
      values: [{ name: 'Total', fromOutput: { step: 'collect', output: 'Total' } }],
      expiresAfterHours: 1.5,
      onExpiry: 'Approve',
    },
  ],
});

describe('a manifest of a workflow', () => {
  test('creates the workflow, then changes nothing, and is what the portal exports', async ({ portal, manifests }) => {
    const { plan, apply, throughText } = manifests;
    const { UserName } = await portal.app.database
      .knex('Users')
      .where('UserId', portal.runner.UserId)
      .first('UserName');
    const manifest = throughText(everything('Everything', [UserName]));
    expect((await plan(manifest)).body).toEqual({ result: { Id: null, Action: 'Create', Changes: [] } });
    const { body } = await apply(manifest, { ChangeDescription: ' First ' });
    expect(body).toEqual({ result: { Id: expect.any(Number), Version: 1, Action: 'Create', Changes: [] } });
    const { Id } = body.result;
    expect((await portal.get(`workflows/manifest/${Id}/1`)).body.result).toEqual(manifest);
    expect((await portal.get(`workflows/details/${Id}`)).body.result).toMatchObject({
      ChangeDescription: 'First',
      Faults: [],
    });
    expect((await apply(manifest)).body).toEqual({ result: { Id, Version: 1, Action: 'None', Changes: [] } });
    const shouted = { ...everything('Everything', [UserName.toUpperCase()]) };
    expect((await plan(shouted)).body.result).toMatchObject({ Id, Action: 'None' });
  });

  test('names each difference, and becomes the next version', async ({ portal, manifests: { plan, apply, close } }) => {
    const manifest = await close('Differences');
    const { Id } = (await apply(manifest)).body.result;
    const [first, ...rest] = manifest.steps;
    const changed = {
      ...manifest,
      group: 'Monthly',
      steps: [{ ...first!, name: 'Collect it', onFailure: 'Continue' }, ...rest],
    };
    const Changes = [
      { Path: `steps.${first!.key}.name`, Before: '"Collect"', After: '"Collect it"' },
      { Path: `steps.${first!.key}.onFailure`, Before: null, After: '"Continue"' },
      { Path: 'group', Before: null, After: '"Monthly"' },
    ];
    const planned = (await plan(changed)).body.result;
    expect(planned).toEqual({ Id, Action: 'Change', Changes: expect.arrayContaining(Changes) });
    expect(planned.Changes).toHaveLength(3);
    expect((await portal.get(`workflows/details/${Id}`)).body.result.Version).toBe(1);
    expect((await apply(changed)).body.result).toMatchObject({ Id, Version: 2, Action: 'Change' });
    expect((await portal.get(`workflows/manifest/${Id}/2`)).body.result).toEqual(changed);
    // A text of the workflow alone needs no version.
    expect((await apply({ ...changed, group: 'Yearly' })).body.result).toMatchObject({
      Id,
      Version: 2,
      Action: 'Change',
    });
    expect((await portal.get(`checklists/details/${Id}`)).body.result.Group).toBe('Yearly');
  });

  test('is applied whole or not at all, and says where it is wrong', async ({
    portal,
    manifests: { plan, apply, close },
  }) => {
    const manifest = await close('Whole');
    const [first, second] = manifest.steps as [WorkflowManifest['steps'][number], WorkflowManifest['steps'][number]];
    const gone = { ...second, activity: { schema: 'Finance', name: 'Gone' } };
    const unknown = await apply({ ...manifest, group: 'New', steps: [first, gone] });
    expect([unknown.status, unknown.body.modelState]).toEqual([
      400,
      {
        '/steps/1/activity': [
          "There is no activity 'Gone' in the schema Finance here. Publish it first, or correct its name.",
        ],
      },
    ]);
    const cycle = await plan({
      ...manifest,
      steps: [{ ...first, after: [{ step: second.key, when: 'success' }] }, second],
    });
    expect([cycle.status, Object.keys(cycle.body.modelState)]).toEqual([
      400,
      [expect.stringMatching(/^(\/steps\/\d)?$/)],
    ]);
    const [month, ...others] = first.kind === 'Activity' ? first.inputs! : [];
    const misread = { ...first, inputs: [{ name: month!.name, fromInput: 'Nothing' }, ...others] };
    expect(Object.keys((await plan({ ...manifest, steps: [misread, second] })).body.modelState)).toContain(
      '/steps/0/inputs/0',
    );
    const unused = { ...manifest, inputs: [...manifest.inputs!, { name: 'Unused', type: 'Number' }] };
    expect((await plan(unused)).body.modelState).toEqual({
      [`/inputs/${manifest.inputs!.length}`]: ["No step uses the input 'Unused'"],
    });
    expect((await plan({ ...manifest, schema: 'Nowhere' })).status).toBe(400);
    expect((await plan({ ...manifest, more: 1 })).status).toBe(400);
    expect(await portal.app.database.knex('Checklists').where('Name', 'Whole')).toEqual([]);
  });

  test('creates one workflow if two people apply it at the same time', async ({
    portal,
    manifests: { apply, close },
  }) => {
    const manifest = await close('Twice');
    const answers = await Promise.all([apply(manifest), apply(manifest), apply(manifest)]);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const rows = await portal.app.database.knex('Checklists').where('Name', 'Twice');
    expect(rows).toHaveLength(1);
    expect((await apply(manifest)).body.result).toMatchObject({ Action: 'None', Version: 1 });
  });

  test('does not touch a checklist, and asks for one name', async ({ portal, manifests: { plan, close } }) => {
    const manifest = await close('A checklist');
    await portal.saved({ Name: 'A checklist' });
    const { status, body } = await plan(manifest);
    expect([status, body.message]).toEqual([400, expect.stringContaining("'A checklist' is a checklist.")]);
    await portal.saved({ Name: 'A checklist' });
    expect((await plan(manifest)).body.modelState).toEqual({
      '/name': [expect.stringContaining('Rename all but one.')],
    });
  });

  test('needs the right to edit checklists of its schema', async ({ portal, manifests: { close } }) => {
    const Manifest = await close('Rights');
    const author = await signedInUser(portal.app, [{ right: 'sk.EditChecklist', Schema: 'Sales' }]);
    for (const call of ['plan', 'apply']) {
      expect((await portal.post(`workflows/${call}`, { Manifest }, author)).status).toBe(403);
      expect((await portal.post(`workflows/${call}`, { Manifest }, portal.runner)).status).toBe(403);
    }
    const blind = await signedInUser(portal.app, [{ right: 'sk.EditChecklist', Schema: 'Finance' }]);
    const unseen = await portal.post('workflows/apply', { Manifest }, blind);
    expect([unseen.status, unseen.body.message]).toEqual([400, 'There is no such activity']);
  });

  test('is also a file of a version', async ({ portal, workflows }) => {
    const Id = await workflows.edited();
    const token = (await portal.get(`workflows/export/${Id}/1?Format=yaml`)).body.result;
    const file = await portal.app.http.inject({ url: `/api/files/download/${token}` });
    expect(file.headers['content-disposition']).toContain('Month-end close 1.workflow.yaml');
    const manifest = (await portal.get(`workflows/manifest/${Id}/1`)).body.result;
    expect(readManifest(file.payload).value).toEqual(manifest);
    // As the page that imports files sends it.
    const imported = await portal.post('workflows/import', {
      Content: JSON.stringify(manifest),
      Schema: 'Finance',
      Name: 'Imported',
    });
    expect((await portal.get(`workflows/manifest/${imported.body.result.Id}/1`)).body.result).toEqual({
      ...manifest,
      name: 'Imported',
    });
    const wrong = await portal.post('workflows/import', {
      Content: JSON.stringify({ ...manifest, name: 7 }),
      Schema: 'Finance',
    });
    expect([wrong.status, wrong.body.message]).toEqual([
      400,
      expect.stringContaining('name must be text that is not empty'),
    ]);
  });
});

/** Tests workflows with approvals: saving, comparing, exporting, and refusing approvals that nobody could decide. */
import { describe, expect } from 'vitest';
import { test as base } from '#test/support/fixtures/workflow-portal.ts';
import { signedInUser } from '#test/support/users.ts';

const test = base.extend('withApproval', { scope: 'file' }, ({ workflows: { edited, graphOf }, portal }) => {
  async function withApproval(more: object = {}) {
    const Id = await edited();
    const { Inputs, Steps } = await graphOf(Id);
    const [collect, report] = Steps;
    const knows = await signedInUser(portal.app);
    await portal.app.database.knex('Roles').insert({ Name: `Controllers of ${Id}`, IsActive: true });
    await portal.app.database.knex('RoleUsers').insert({ RoleName: `Controllers of ${Id}`, UserId: knows.UserId });
    const approval: Record<string, unknown> = {
      Kind: 'Approval',
      Key: 'ok',
      Name: 'Is it right?',
      After: [{ Step: collect!['Key'], When: 'success' }],
      Join: 'AllSucceeded',
      OnFailure: 'Stop',
      Roles: [`Controllers of ${Id}`],
      UserIds: [portal.runner.UserId],
      Needed: 2,
      StarterMayApprove: false,
      Text: 'Please look at the total',
      Values: [
        { Name: 'Total', From: { Kind: 'Output', Step: collect!['Key'], Name: 'Total' } },
        { Name: 'Month', From: { Kind: 'Input', Name: 'Month' } },
      ],
      ExpiresAfterHours: 48,
      OnExpiry: 'Fail',
      ...more,
    };
    const Graph = { Inputs, Steps: [collect!, approval, { ...report, After: [{ Step: 'ok', When: 'success' }] }] };
    return { Id, Graph, approval };
  }

  return withApproval;
});

describe('a workflow with an approval', () => {
  test('is saved, compared and exported with the people by their names', async ({
    workflows: { save, graphOf },
    portal,
    withApproval,
  }) => {
    const { Id, Graph, approval } = await withApproval();
    const answer = await save(Id, Graph);
    expect([answer.status, answer.body]).toEqual([200, { result: { Id, Version: 2 } }]);
    const before = { ...approval };
    Object.assign(approval, { Needed: 1, Text: 'Look at it', ExpiresAfterHours: null, UserIds: [] });
    expect((await save(Id, Graph, { Version: 2 })).status).toBe(200);
    const { Changes } = (await portal.get(`workflows/compare/${Id}/2/3`)).body.result;
    expect(Changes.map(({ What, Before, After }: Record<string, string>) => [What, Before, After])).toEqual([
      ['People who decide', String(portal.runner.UserId), ''],
      ['Approvals needed', '2', '1'],
      ['Text', 'Please look at the total', 'Look at it'],
      ['Expires', 'after 48 hours', 'never'],
    ]);
    const token = (await portal.get(`workflows/export/${Id}/2`)).body.result;
    const { payload } = await portal.app.http.inject({ url: `/api/files/download/${token}` });
    expect(JSON.parse(payload).Steps[1]).toMatchObject({ Users: [portal.runner.UserName] });
    const copy = await portal.post('workflows/import', { Content: payload, Schema: 'Finance' });
    expect([copy.status, (await graphOf(copy.body.result.Id)).Steps[1]]).toEqual([200, before]);
    const elsewhere = payload.replace(`"${portal.runner.UserName}"`, '"nobody here"');
    expect((await portal.post('workflows/import', { Content: elsewhere, Schema: 'Finance' })).body.message).toBe(
      "These approvers of the workflow do not exist here: 'nobody here'",
    );
  });

  test.for([
    ['nobody named', { Roles: [], UserIds: [] }, 'An approval must name the roles or people who decide'],
    ['too few people', { Needed: 3 }, 'It needs 3 approvers, but only 2 may approve'],
    [
      'a role that is not there',
      { Roles: ['Nobody'], Needed: 1 },
      "The role 'Nobody' can no longer decide: it does not exist or is disabled",
    ],
    ['no text', { Text: ' ' }, 'An approval must say what is to be approved'],
    [
      'a value there is not',
      { Values: [{ Name: 'Rate', From: { Kind: 'Input', Name: 'No' } }] },
      "'Rate' uses the input 'No', which does not exist",
    ],
  ] as const)('is refused with %s', async ([, more, message], { workflows: { save }, withApproval }) => {
    const { Id, Graph } = await withApproval(more);
    const { status, body } = await save(Id, Graph);
    expect([status, body.message]).toEqual([400, `Is it right?: ${message}`]);
  });

  test('is refused where the people were disabled, or their role has nobody else', async ({ portal, withApproval }) => {
    const { Id, Graph } = await withApproval({ Roles: [], Needed: 1 });
    const { knex } = portal.app.database;
    const { UserId, UserName } = portal.runner;
    await knex('Users').where({ UserId }).update({ Enabled: false });
    const { body } = await portal.post('workflows/check', { Id, Graph });
    await knex('Users').where({ UserId }).update({ Enabled: true });
    expect(body.result.Faults.map(({ Message }: { Message: string }) => Message)).toEqual([
      `'${UserName}' can no longer decide: it does not exist or is disabled`,
      'Nobody can approve: no member of the roles and none of the people listed may decide',
    ]);
  });

  test('offers authors the roles and people that there are', async ({ portal }) => {
    const { UserId, UserName } = portal.runner;
    const found = (await portal.post('workflows/approvers', { Search: portal.editor.UserName, UserIds: [UserId] })).body
      .result;
    expect(found.Users.map((user: { UserName: string }) => user.UserName)).toEqual(
      expect.arrayContaining([UserName, portal.editor.UserName]),
    );
    expect(found.Roles.length).toBeGreaterThan(0);
    expect((await portal.post('workflows/approvers', {}, portal.runner)).status).toBe(403);
  });
});

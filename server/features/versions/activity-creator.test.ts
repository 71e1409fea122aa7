import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureSchemas } from '#server/features/schemas/schemas-service.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { createFakeExecutor } from '#test/support/fake-executor.ts';
import { multipart } from '#test/support/portal.ts';
import { EMPTY_DEFINITION } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';

let app: TestApp;
beforeAll(async () => {
  const executor = createFakeExecutor();
  executor.onInspect = async () => ({ definition: EMPTY_DEFINITION, problems: [], fidelity: null });
  app = await testApp({ executor });
  await ensureSchemas(app.database, ['Finance']);
});
afterAll(() => app.close());

test('who makes an activity may edit and run it, but nothing else in its schema', async () => {
  const [creator, other] = [
    await signedInUser(app, ['sk.CreateActivity']),
    await signedInUser(app, ['sk.CreateActivity']),
  ];
  const create = async (Name: string, { headers }: typeof creator): Promise<number> => {
    const fields = { Id: '0', Schema: 'Finance', Name, ChangeDescription: 'First' };
    const body = multipart(fields, [{ name: 'book.xlsx', content: 'workbook' }]);
    const url = '/api/activities/create';
    const answer = await app.http.inject({
      method: 'POST',
      url,
      headers: { ...headers, ...body.headers },
      payload: body.payload,
    });
    return answer.json<{ Id: number }>().Id;
  };
  const details = async (id: number) => {
    const answer = await app.http.inject({ url: `/api/activities/details/${id}`, headers: creator.headers });
    return { status: answer.statusCode, result: answer.json<{ result?: object }>().result };
  };
  const [mine, theirs] = [await create('Mine', creator), await create('Theirs', other)];
  expect(await details(mine)).toMatchObject({ status: 200, result: { CanEdit: true, CanRun: true } });
  expect((await details(theirs)).status).toBe(404);
});

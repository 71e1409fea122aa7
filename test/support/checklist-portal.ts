/** Activities for checklists in two schemas, and users with more and fewer rights on them. */
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import { testApp } from './app.ts';
import { input, output } from './portal.ts';
import { EMPTY_DEFINITION, insertActivity } from './runs.ts';
import { signedInUser } from './users.ts';

export type User = Awaited<ReturnType<typeof signedInUser>>;

/** A table of names and amounts. */
export const LINES = {
  RangeType: 'RangeWithColumnHeaders' as const,
  ColumnHeaderValues: ['Name', 'Amount'],
  CellUsages: ['Text' as const, 'Number' as const],
  Formats: ['', ''],
  RowsVariable: true,
};
const collect: ActivityDefinition = {
  ...EMPTY_DEFINITION,
  inputs: [
    input('Month', { CellUsages: ['Text'] }),
    input('Limit'),
    input('Note', { CellUsages: ['Text'], Specifications: ['Display'] }),
  ],
  outputs: [output('Total'), output('Lines', LINES)],
};
const report: ActivityDefinition = {
  ...EMPTY_DEFINITION,
  inputs: [
    input('Period', { CellUsages: ['Text'] }),
    input('Rate', { CellUsages: ['Number'] }),
    input('Papers', { CellUsages: ['FilePath'], Blanks: [true] }),
  ],
};

export type ChecklistPortal = Awaited<ReturnType<typeof startChecklistPortal>>;

export async function startChecklistPortal() {
  const app = await testApp();
  const { knex } = app.database;
  const editor = await signedInUser(app, ['sk.EditChecklist', 'sk.EditActivity']);
  const make = (Name: string, definition: ActivityDefinition, Schema = 'Finance'): Promise<number> =>
    insertActivity(knex, { UserId: editor.UserId, Name, Schema, definition });
  const activities = {
    collect: await make('Collect', collect),
    report: await make('Report', report),
    close: await make('Close', EMPTY_DEFINITION),
    other: await make('Other', EMPTY_DEFINITION, 'Sales'),
  };
  /** Ids of inputs by activity and input name: 'collect.Month'. */
  const inputs: Record<string, number> = {};

  for (const [name, ActivityId] of Object.entries(activities)) {
    const rows = await knex('ActivityParameters').where({ ActivityId, Direction: 'input' }).select('Id', 'Name');
    for (const { Id, Name } of rows) inputs[`${name}.${Name}`] = Id;
  }
  const runner = await signedInUser(app, [{ right: 'sk.RunActivity', Schema: 'Finance' }]);
  const collectOnly = await signedInUser(app, [{ right: 'sk.RunActivity', Id: activities.collect }]);
  const stranger = await signedInUser(app, [{ right: 'sk.RunActivity', Schema: 'Sales' }]);

  async function send(method: 'GET' | 'POST', url: string, user: User, payload?: object) {
    const answer = await app.http.inject({ method, url: `/api/${url}`, headers: user.headers, payload });
    return { status: answer.statusCode, body: answer.json() };
  }
  const get = (url: string, user: User = editor) => send('GET', url, user);
  const post = (url: string, payload: object, user: User = editor) => send('POST', url, user, payload);

  const named = (InputName: string, ...names: string[]) => ({
    InputName,
    ActivityInputs: names.map((name) => ({ Id: inputs[name] })),
  });
  /** Maps every input of Collect and Report to a name. */
  const mapped = () => [
    named('Month', 'collect.Month', 'report.Period'),
    named('Limit', 'collect.Limit'),
    named('Rate', 'report.Rate'),
    named('Papers', 'report.Papers'),
  ];
  const body = (more: Record<string, unknown> = {}) => ({
    Id: 0,
    Name: 'Month-end close',
    Schema: 'Finance',
    Activities: [{ Id: activities.collect }, { Id: activities.report }],
    Inputs: mapped(),
    ...more,
  });
  const save = (more: Record<string, unknown> = {}, user: User = editor) => post('checklists/create', body(more), user);
  const saved = async (more: Record<string, unknown> = {}): Promise<number> => {
    const answer = await save(more);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body.result.Id;
  };
  const details = async (id: number, user: User = editor) => (await get(`checklists/details/${id}`, user)).body.result;
  const listed = async (id: number, user: User = editor) =>
    (await get('activities', user)).body.result.Checklists.find(({ Id }: { Id: number }) => Id === id);

  return {
    app,
    editor,
    runner,
    collectOnly,
    stranger,
    activities,
    inputs,
    get,
    post,
    named,
    mapped,
    body,
    save,
    saved,
    details,
    listed,
    close: () => app.close(),
  };
}

import { expect, it } from 'vitest';
import { createLog } from './log.ts';

function logged(...[fields, text]: [object, string]): string {
  const lines: string[] = [];
  createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } }).info(fields, text);
  return lines.join('');
}

it('writes one JSON object a line, with the level by name and the time in UTC', () => {
  const line = logged({ run: 7 }, 'Run finished');
  expect(line.endsWith('\n')).toBe(true);
  expect(JSON.parse(line)).toMatchObject({ level: 'info', run: 7, msg: 'Run finished' });
  expect((JSON.parse(line) as { time: string }).time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
});

it.each([
  { password: 'hidden' },
  { user: { NewPassword: 'hidden' } },
  { req: { headers: { authorization: 'Bearer hidden', cookie: 'a=hidden', 'x-api-key': 'hidden' } } },
  { res: { headers: { 'set-cookie': 'a=hidden' } } },
  { body: { access_token: 'hidden', refresh_token: 'hidden' } },
  { config: { databaseUrl: 'postgres://u:hidden@db/x', adminPassword: 'hidden' } },
  { ApiKey: 'hidden' },
  {
    err: Object.assign(new Error('duplicate key'), { detail: 'Key (Email)=(hidden)', hint: 'hidden', where: 'hidden' }),
  },
  { err: new AggregateError([Object.assign(new Error('one'), { detail: 'hidden', hint: 'hidden' })], 'several') },
])('keeps secrets out of %j', (fields) => {
  expect(logged(fields, 'x')).not.toContain('hidden');
});

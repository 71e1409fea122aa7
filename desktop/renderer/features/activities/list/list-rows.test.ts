import { describe, expect, it } from 'vitest';
import type { ActivityList, ActivityListItem } from '#shared/contract/activities.ts';
import type { ActivityMarks } from '#shared/contract/activity-marks.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import { readChoice } from './list-choice.ts';
import { chosenRows, listRows, type ListChoice } from './list-rows.ts';

const activity = (Id: number, Name: string, more: Partial<ActivityListItem> = {}): ActivityListItem => ({
  Id,
  Name,
  Description: '',
  Type: 'Workbook',
  Schema: 'Finance',
  Group: 'Close',
  Function: '',
  Order: null,
  IsActive: true,
  CanEdit: false,
  CanRun: true,
  LastRun: null,
  ...more,
});

const ran = (Id: number, Status: RunStatus, QueueTime: string) => ({
  LastRun: { Id, Status, QueueTime, UserFullName: 'Ada' },
});

const LIST: ActivityList = {
  Schemas: [
    { Name: 'Finance', DisplayName: 'Finance and tax', Order: 1 },
    { Name: 'Sales', DisplayName: '', Order: 2 },
  ],
  Activities: [
    activity(1, 'Tax 10', ran(11, 'Failed', '2026-05-03T09:00:00.000Z')),
    activity(2, 'Tax 9', ran(12, 'Succeeded', '2026-05-04T09:00:00.000Z')),
    activity(3, 'Bonus', { Schema: 'Sales', Group: '', Description: 'For the sales people' }),
    activity(4, 'Audit', { CanRun: false, IsActive: false, ...ran(14, 'Started', '2026-05-01T09:00:00.000Z') }),
  ],
  Checklists: [
    {
      Id: 1,
      Name: 'Month end',
      Description: '',
      Schema: 'Finance',
      Group: 'Close',
      Order: null,
      CanEdit: false,
      CanRun: true,
      IsWorkflow: true,
      LastRunId: null,
      IsLastRunWorkflow: false,
      LastRunQueueTime: null,
      LastRunStatus: null,
      LastRunUserFullName: null,
    },
  ],
  Groups: ['Close'],
  Functions: [],
};

const none = { Favourites: [], Recent: [], Own: [], NextTimes: [] };
const MARKS: ActivityMarks = {
  Activities: {
    Favourites: [3],
    Recent: [1, 2],
    Own: [4],
    NextTimes: [{ Id: 2, NextTime: '2026-06-01T01:00:00.000Z' }],
  },
  Checklists: { ...none, Favourites: [1] },
};

const names = (choice: Partial<ListChoice>, marks: ActivityMarks | undefined = MARKS): string[] =>
  chosenRows(listRows(LIST, marks), { ...readChoice(new URLSearchParams()), ...choice }).map(({ name }) => name);

describe('the table of activities', () => {
  it('has favourites first, then what was run lately, then the rest by name', () => {
    expect(names({})).toEqual(['Bonus', 'Month end', 'Tax 10', 'Tax 9', 'Audit']);
    expect(names({}, { Activities: none, Checklists: none })).toEqual([
      'Audit',
      'Bonus',
      'Month end',
      'Tax 9',
      'Tax 10',
    ]);
  });
  it('is sorted by each of its columns, what has no value always last', () => {
    const sorted = (key: 'name' | 'group' | 'last' | 'outcome' | 'next', isDown = false) =>
      names({ sort: { key, isDown } });
    expect(sorted('name')).toEqual(['Audit', 'Bonus', 'Month end', 'Tax 9', 'Tax 10']);
    expect(sorted('name', true)).toEqual(['Tax 10', 'Tax 9', 'Month end', 'Bonus', 'Audit']);
    expect(sorted('last')).toEqual(['Audit', 'Tax 10', 'Tax 9', 'Bonus', 'Month end']);
    expect(sorted('last', true)).toEqual(['Tax 9', 'Tax 10', 'Audit', 'Bonus', 'Month end']);
    expect(sorted('outcome')).toEqual(['Tax 10', 'Audit', 'Tax 9', 'Bonus', 'Month end']);
    expect(sorted('next')[0]).toBe('Tax 9');
    expect(sorted('next', true)[0]).toBe('Tax 9');
    expect(sorted('group').at(-1)).toBe('Bonus');
  });
  it('is narrowed by schema, group, outcome, whose they are, and words of name and description', () => {
    expect(names({ schema: 'Sales' })).toEqual(['Bonus']);
    expect(names({ group: 'Close', state: 'failed' })).toEqual(['Tax 10']);
    expect(names({ state: 'running' })).toEqual(['Audit']);
    expect(names({ state: 'never' })).toEqual(['Bonus', 'Month end']);
    expect(names({ whose: 'favourites' })).toEqual(['Bonus', 'Month end']);
    expect(names({ whose: 'recent' })).toEqual(['Tax 10', 'Tax 9']);
    expect(names({ whose: 'own' })).toEqual(['Audit']);
    expect(names({ search: 'people SALES' })).toEqual(['Bonus']);
  });
  it('leads to the home of an activity, and to runs only those who may run', () => {
    const rows = listRows(LIST, undefined);
    expect(rows[0]).toMatchObject({
      path: '/activities/1/',
      runPath: '/activities/run/1/',
      schemaTitle: 'Finance and tax',
    });
    expect(rows[3]).toMatchObject({ runPath: null, isActive: false });
    expect(rows[4]).toMatchObject({ kind: 'Workflow', path: '/workflows/run/1/' });
  });
});

describe('the choice in the address', () => {
  it('is read as it is written, and unknown values are skipped', () => {
    const choice = readChoice(new URLSearchParams('q=tax&schema=Finance&state=failed&whose=own&sort=-last'));
    expect(choice).toEqual({
      search: 'tax',
      schema: 'Finance',
      group: null,
      state: 'failed',
      whose: 'own',
      sort: { key: 'last', isDown: true },
    });
    expect(readChoice(new URLSearchParams('state=odd&whose=odd&sort=odd'))).toMatchObject({
      state: null,
      whose: null,
      sort: null,
    });
  });
});

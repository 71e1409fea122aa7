import { describe, expect, it } from 'vitest';
import type { ActivityList, ActivityListItem } from '#shared/contract/activities.ts';
import type { ChecklistListItem } from '#shared/contract/checklist-list.ts';
import { buildSections, recentRunDays } from './activity-sections.ts';

let nextId = 1;
function activity(part: Partial<ActivityListItem>): ActivityListItem {
  return {
    Id: nextId++,
    Name: 'Loan',
    Description: '',
    Type: 'Workbook',
    Schema: 'finance',
    Group: '',
    Function: '',
    Order: null,
    CanEdit: true,
    IsActive: true,
    CanRun: true,
    LastRun: null,
    ...part,
  };
}

function checklist(part: Partial<ChecklistListItem>): ChecklistListItem {
  return {
    Id: nextId++,
    Name: 'Close',
    Description: '',
    Schema: 'finance',
    Group: '',
    Order: null,
    CanEdit: true,
    CanRun: true,
    IsWorkflow: false,
    LastRunId: null,
    IsLastRunWorkflow: false,
    LastRunQueueTime: null,
    LastRunStatus: null,
    LastRunUserFullName: null,
    ...part,
  };
}

function list(activities: ActivityListItem[], checklists: ChecklistListItem[] = []): ActivityList {
  const Schemas = [
    { Name: 'sales', DisplayName: 'Sales', Order: 2 },
    { Name: 'finance', DisplayName: 'Finance', Order: 1 },
  ];
  return {
    Schemas,
    Activities: activities,
    Checklists: checklists,
    Groups: ['Month', 'Day'],
    Functions: ['Report', 'Load'],
  };
}

describe('sections of the activities list', () => {
  it('sorts schemas by their order and calls blank groups Miscellaneous, at the end', () => {
    const sections = buildSections(
      list([
        activity({ Schema: 'sales' }),
        activity({ Group: '' }),
        activity({ Group: 'Day' }),
        activity({ Group: 'Month' }),
      ]),
      '',
    );
    expect(sections.map((schema) => schema.title)).toEqual(['Finance', 'Sales']);
    expect(sections[0]!.groups.map((group) => group.title)).toEqual(['Month', 'Day', 'Miscellaneous']);
  });

  it('sorts tiles by order, those without one last, then by name', () => {
    const tiles = [
      activity({ Name: 'b', Order: null }),
      activity({ Name: 'a 10', Order: 1 }),
      activity({ Name: 'a 9', Order: 1 }),
      activity({ Name: 'c', Order: 0 }),
    ];
    const [section] = buildSections(list(tiles), '');
    expect(section!.groups[0]!.functions[0]!.activities.map((tile) => tile.Name)).toEqual(['c', 'a 9', 'a 10', 'b']);
  });

  it('hides what the search does not find, in names and descriptions', () => {
    const tiles = [
      activity({ Name: 'Loan', Schema: 'sales' }),
      activity({ Name: 'Tax', Description: 'for LOANS' }),
      activity({ Name: 'FX' }),
    ];
    expect(buildSections(list(tiles), 'loan').map((schema) => [schema.title, schema.count])).toEqual([
      ['Finance', 1],
      ['Sales', 1],
    ]);
    expect(buildSections(list(tiles), 'nothing')).toEqual([]);
  });

  it('puts the checklists of a group before its functions, and finds them too', () => {
    const checklists = [
      checklist({ Name: 'Year-end', Order: null }),
      checklist({ Name: 'Month-end', Order: 1 }),
      checklist({ Name: 'Stocktaking', Schema: 'sales', Group: 'Day' }),
    ];
    const all = list([activity({ Function: 'Load' })], checklists);
    const [finance, sales] = buildSections(all, '');
    const group = finance!.groups[0]!;
    expect([finance!.count, group.count]).toEqual([3, 3]);
    expect(group.checklists?.title).toBe('Checklists');
    expect(group.checklists?.checklists.map(({ Name }) => Name)).toEqual(['Month-end', 'Year-end']);
    expect(group.functions.map(({ title }) => title)).toEqual(['Load']);
    expect(sales!.groups.map(({ title, functions }) => [title, functions.length])).toEqual([['Day', 0]]);
    expect(buildSections(all, 'month-end').map(({ title, count }) => [title, count])).toEqual([['Finance', 1]]);
    expect(buildSections(all, 'loan')[0]?.groups[0]?.checklists).toBeNull();
  });
});

describe('the legend', () => {
  it('has the three latest days on which something ran', () => {
    const ran = (day: number, hour = 9) =>
      activity({
        LastRun: {
          Id: 1,
          Status: 'Succeeded',
          UserFullName: 'A',
          QueueTime: new Date(2026, 0, day, hour).toISOString(),
        },
      });
    const activities = [ran(1), ran(5, 9), ran(5, 23), ran(3), ran(7), activity({})];
    const dates = (checklists: ChecklistListItem[]): number[] =>
      recentRunDays(list(activities, checklists)).map((day) => new Date(day).getDate());
    expect(dates([])).toEqual([7, 5, 3]);
    expect(dates([checklist({}), checklist({ LastRunQueueTime: new Date(2026, 0, 6).toISOString() })])).toEqual([
      7, 6, 5,
    ]);
  });
});

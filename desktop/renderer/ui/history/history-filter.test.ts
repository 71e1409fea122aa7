import { describe, expect, it } from 'vitest';
import type { ValueCondition } from '#shared/contract/run-history.ts';
import { draftsOf, newDraft, readDraft } from './condition-drafts.ts';
import { readFilter, searchOf, writeFilter, type HistoryFilter, type SearchedParameter } from './history-filter.ts';

const values: ValueCondition[] = [
  { Direction: 'input', ActivityParameterId: 12, Operator: '>=', Value: -1.5 },
  { Direction: 'output', ActivityParameterId: 3, Operator: 'begins', Value: 'a&b=":c\nü' },
  { Direction: 'input', ActivityParameterId: 4, Operator: '=', Value: true },
  { Direction: 'input', ActivityParameterId: 5, Operator: 'between', Value: 46024, To: 46030, Days: true },
  { Direction: 'output', ActivityParameterId: 6, Operator: 'empty' },
  { Direction: 'output', ActivityParameterId: 7, Operator: '<>', Value: 'd:' },
];
const filter: HistoryFilter = { statuses: ['Failed'], by: 'Ada L', from: '2026-03-29', to: '2026-03-29', values };

describe('the search of a history', () => {
  it('comes back from the address as it was written, and leaves the rest of the address alone', () => {
    const query = writeFilter(new URLSearchParams('plot=closed&v=old'), filter);
    expect(query.get('plot')).toBe('closed');
    expect(readFilter(new URLSearchParams(query.toString()))).toEqual(filter);
    const none = { statuses: [], by: '', from: '', to: '', values: [] };
    expect(writeFilter(query, none).toString()).toBe('plot=closed');
  });
  it('passes over what an address cannot mean', () => {
    const query = new URLSearchParams('from=yesterday&to=2026-13-01');
    const more = ['i1between:5', 'i1between:[9,5]', 'i1empty:5', 'i1contains:5', 'i1=d:"a"', 'i1between:[1,"a"]'];
    for (const bad of [...more, 'i1=:', 'x1=:5', 'i1~:5', 'i1<:"a"', 'i1begins:5', 'i1=:[1]', 'i1=:""', 'i1=:{'])
      query.append('v', bad);
    expect(readFilter(query)).toEqual({ statuses: [], by: '', from: '', to: '', values: [] });
  });
  it('asks for whole days of here, the last one included, also where a clock is changed', () => {
    const { QueuedFrom, QueuedBefore, ...rest } = searchOf(7, filter);
    expect(new Date(QueuedFrom!)).toEqual(new Date(2026, 2, 29));
    expect(new Date(QueuedBefore!)).toEqual(new Date(2026, 2, 30));
    expect(rest).toEqual({ ActivityId: 7, Statuses: ['Failed'], RunBy: 'Ada L', Values: values });
    expect(searchOf(null, filter)).not.toHaveProperty('Values');
  });
});

describe('a condition that is typed', () => {
  const parameters: SearchedParameter[] = [
    { direction: 'input', id: 12, name: 'Rate', kind: 'number', format: 'General' },
    { direction: 'output', id: 12, name: 'Day', kind: 'date', format: 'd/mmm/yyyy' },
    { direction: 'output', id: 3, name: 'Text', kind: 'text', format: 'General' },
    { direction: 'output', id: 4, name: 'Time', kind: 'time', format: 'hh:mm' },
  ];
  it('takes a time as it is typed, and shows it so again', () => {
    const time = { ...newDraft(parameters[3]), text: '9:30 PM' };
    const read = readDraft(time, parameters);
    expect(read).toMatchObject({ condition: { Operator: '=', Value: 21.5 / 24 } });
    expect(read && 'condition' in read && draftsOf([read.condition], parameters)[0]?.text).toBe('21:30');
    expect(readDraft({ ...time, text: 'noon' }, parameters)).toEqual({ error: 'Value must be a time, such as 21:30' });
  });
  it('is read by the kind of its input or output', () => {
    const rate = { ...newDraft(parameters[0]), text: ' 12 % ' };
    expect(readDraft(rate, parameters)).toEqual({
      condition: { Direction: 'input', ActivityParameterId: 12, Operator: '=', Value: 0.12 },
    });
    expect(readDraft({ ...rate, text: 'x' }, parameters)).toEqual({ error: 'Value must be a number' });
    expect(readDraft({ ...rate, text: '' }, parameters)).toBeNull();
    expect(readDraft({ ...newDraft(parameters[1]), text: '2026-01-02' }, parameters)).toMatchObject({
      condition: { Value: 46024, Days: true },
    });
    expect(readDraft({ ...newDraft(parameters[2]), text: '5' }, parameters)).toMatchObject({
      condition: { Operator: 'contains', Value: '5' },
    });
  });
  it('has two values between which it is, or none at all', () => {
    const between = { ...newDraft(parameters[0]), operator: 'between' as const, text: '1', to: '5 %' };
    expect(readDraft(between, parameters)).toEqual({ error: 'The second value must not be below the first' });
    expect(readDraft({ ...between, to: '' }, parameters)).toEqual({ error: 'Value must be a number' });
    expect(readDraft({ ...between, text: '', to: '' }, parameters)).toBeNull();
    expect(readDraft({ ...between, to: '9' }, parameters)).toMatchObject({ condition: { Value: 1, To: 9 } });
    expect(readDraft({ ...newDraft(parameters[2]), operator: 'empty', text: 'rest' }, parameters)).toEqual({
      condition: { Direction: 'output', ActivityParameterId: 3, Operator: 'empty' },
    });
  });
  it('is typed again from the address', () => {
    const day = { Direction: 'output', ActivityParameterId: 12, Days: true } as const;
    const condition: ValueCondition = { ...day, Operator: '<', Value: 46024 };
    const drafts = draftsOf([condition, { ...condition, ActivityParameterId: 99 }], parameters);
    expect(drafts).toMatchObject([{ operator: '<', text: '2026-01-02' }]);
    expect(readDraft(drafts[0]!, parameters)).toEqual({ condition });
  });
});

import { describe, expect, it } from 'vitest';
import type { FormInput } from '#shared/codecs/input-form.ts';
import type { Activity } from '#shared/contract/activities.ts';
import { changeForm, createRunForm, refuseStart, type RunFormStore } from './run-form-store.ts';

const ID = 7;

function formOf(value: FormInput['value']): RunFormStore {
  const store = createRunForm({ Id: 1, Inputs: [] } as unknown as Activity, {}, {});
  store.setState({ forms: { [ID]: { value, files: [], useDefault: false } } });
  return store;
}

const change = (store: RunFormStore, value: FormInput['value']): void =>
  changeForm(store, ID, { value, files: [], useDefault: false });

const wrong = (row: number, col: number) => ({ message: 'Value in column Amount must be a number', row, col });

describe('the messages of an input that is changed', () => {
  it('are gone for a single value', () => {
    const store = formOf('x');
    refuseStart(store, { title: 'Please correct', issues: { [ID]: [{ message: 'Value must be a number' }] } });
    change(store, 5);
    expect(store.getState().issues[ID]).toEqual([]);
  });

  it('stay for the cells of a grid that are as they were', () => {
    const store = formOf([
      ['a', 'x'],
      ['b', 'y'],
      ['c', 3],
    ]);
    refuseStart(store, { title: 'Please correct', issues: { [ID]: [wrong(0, 1), wrong(1, 1)] } });
    change(store, [
      ['a', 1],
      ['b', 'y'],
      ['c', 3],
      ['', null],
    ]);
    expect(store.getState().issues[ID]).toEqual([wrong(1, 1)]);
  });

  it('are gone for rows that were removed, and for what concerned the whole grid', () => {
    const store = formOf([
      ['a', 'x'],
      ['b', 'y'],
    ]);
    refuseStart(store, { title: 'Please correct', issues: { [ID]: [{ message: 'Whole' }, wrong(1, 1)] } });
    change(store, [['a', 'x']]);
    expect(store.getState().issues[ID]).toEqual([]);
  });

  it('stay for cells that are only counted, as long as others are listed', () => {
    const store = formOf(['x', 'y', 'z']);
    const counted = { message: '7 more cells are invalid', more: 7 };
    refuseStart(store, { title: 'Please correct', issues: { [ID]: [wrong(0, 0), wrong(1, 0), counted] } });
    change(store, [1, 'y', 'z']);
    expect(store.getState().issues[ID]).toEqual([wrong(1, 0), counted]);
    change(store, [1, 2, 'z']);
    expect(store.getState().issues[ID]).toEqual([]);
  });

  it('stay for the cells of a list', () => {
    const store = formOf(['x', 'y']);
    refuseStart(store, { title: 'Please correct', issues: { [ID]: [wrong(0, 0), wrong(1, 0)] } });
    change(store, [1, 'y']);
    expect(store.getState().issues[ID]).toEqual([wrong(1, 0)]);
  });
});

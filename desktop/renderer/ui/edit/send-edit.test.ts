import { expect, test } from 'vitest';
import { AppFailure } from '#renderer/api/app-failure.ts';
import { baseOf, draftFrom, sendEdit, type EditCalls } from './send-edit.ts';

interface Fields {
  name: string;
}

const conflict = (Revision: number): AppFailure => {
  const OtherEdit = { Revision, UserFullName: 'Grace Hopper', Time: '2026-11-30T12:00:00Z' };
  return new AppFailure('Grace Hopper changed this', { status: 409, answer: { OtherEdit } });
};

/** A server that stores one name, and loses the response of the next save if asked to. */
function storeOf(name: string) {
  const stored = { name, revision: 4, losesResponse: false };
  const callsOf = (mine: Fields): EditCalls<Fields> => ({
    send: async (Revision) => {
      if (Revision !== stored.revision) throw conflict(stored.revision);
      Object.assign(stored, { name: mine.name, revision: stored.revision + 1 });
      if (!stored.losesResponse) return;
      stored.losesResponse = false;
      throw new AppFailure('Network error', { status: 0 });
    },
    read: async () => ({ fields: { name: stored.name }, revision: stored.revision }),
  });
  const base = baseOf({ fields: { name }, revision: 4 });
  const save = (mine: Fields, revision = 4) => sendEdit(base, { mine, revision }, callsOf(mine));
  return { stored, save };
}

test('a save returns the revision that the next one is based on', async () => {
  const { save } = storeOf('first');
  expect(await save({ name: 'mine' })).toBe(5);
  expect(await save({ name: 'mine again' }, 5)).toBe(6);
});

test('what somebody else has saved is read, and overwritten only on purpose', async () => {
  const { stored, save } = storeOf('first');
  Object.assign(stored, { name: 'theirs', revision: 5 });
  expect(await save({ name: 'mine' })).toMatchObject({
    fields: { name: 'theirs' },
    revision: 5,
    other: { UserFullName: 'Grace Hopper' },
  });
  expect(stored.name).toBe('theirs');
  expect(await save({ name: 'mine' }, 5)).toBe(6);
  expect(stored.name).toBe('mine');
});

test('a save whose response was lost is no conflict', async () => {
  const { stored, save } = storeOf('first');
  stored.losesResponse = true;
  await expect(save({ name: 'mine' })).rejects.toThrow('Network error');
  expect(await save({ name: 'mine, corrected' })).toBe(6);
  expect(stored.name).toBe('mine, corrected');
});

test('any other refusal is passed on', async () => {
  const { save } = storeOf('first');
  const base = baseOf<Fields>({ fields: { name: 'first' }, revision: 4 });
  const refused = new AppFailure('The name is taken', { status: 409 });
  const calls: EditCalls<Fields> = {
    send: () => Promise.reject(refused),
    read: async () => ({ fields: { name: 'first' }, revision: 4 }),
  };
  await expect(sendEdit(base, { mine: { name: 'taken' }, revision: 4 }, calls)).rejects.toBe(refused);
  expect(await save({ name: 'free' })).toBe(5);
});

test('a draft knows the version that it was made from, or is one of the present version', () => {
  const present = { fields: { name: 'theirs' }, revision: 5 };
  const draft = { mine: { name: 'typed' }, opened: { fields: { name: 'first' }, revision: 4 } };
  expect(draftFrom(draft, present)).toEqual(draft);
  // As earlier releases stored it.
  expect(draftFrom({ name: 'typed' }, present)).toEqual({ mine: { name: 'typed' }, opened: present });
});

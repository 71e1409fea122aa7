import { expect, test } from 'vitest';
import { createFairOrder } from './fair-order.ts';

const ownerOf = (task: string): string => task.split(' ')[0]!;

test('an owner with many tasks waits for each other owner once a turn', () => {
  const fairOrder = createFairOrder(1);
  let waiting = ['ann 1', 'ann 2', 'ann 3', 'bob 1', 'cay 1'];
  const started: string[] = [];
  while (waiting.length > 0) {
    const next = fairOrder.order(waiting, ownerOf, [])[0]!;
    fairOrder.began(ownerOf(next));
    started.push(next);
    waiting = waiting.filter((task) => task !== next);
  }
  expect(started).toEqual(['ann 1', 'bob 1', 'cay 1', 'ann 2', 'ann 3']);
});

test('owners who use fewer threads go first, and none uses more than allowed', () => {
  const fairOrder = createFairOrder(2);
  expect(fairOrder.order(['ann 1', 'bob 1', 'cay 1'], ownerOf, ['ann', 'ann', 'bob'])).toEqual(['cay 1', 'bob 1']);
});

test('a task learns how many end before it starts, in the fair order', () => {
  const fairOrder = createFairOrder(1);
  const waiting = ['ann 2', 'ann 3', 'cay 1', 'bob 2'];
  for (const owner of ['ann', 'bob']) fairOrder.began(owner);
  const ahead = (task: string): number => fairOrder.ahead(task, waiting, ownerOf, ['ann', 'bob']);
  expect(ahead('cay 1')).toBe(1);
  expect(ahead('ann 2')).toBe(2);
  expect(ahead('bob 2')).toBe(3);
  expect(ahead('ann 3')).toBe(4);
  expect(fairOrder.ahead('ann 2', ['ann 2'], ownerOf, ['bob', 'ann'])).toBe(2);
  expect(fairOrder.order(waiting, ownerOf, [])).toEqual(['cay 1', 'ann 2', 'ann 3', 'bob 2']);
});

test('an owner who comes back after a while waits no longer than one who never came', () => {
  const fairOrder = createFairOrder(1);
  fairOrder.began('ann');
  fairOrder.began('bob');
  expect(fairOrder.order(['ann 2', 'bob 2'], ownerOf, [])).toEqual(['ann 2', 'bob 2']);
  expect(fairOrder.order(['bob 2'], ownerOf, [])).toEqual(['bob 2']);
  expect(fairOrder.order(['bob 2', 'ann 2'], ownerOf, [])).toEqual(['ann 2', 'bob 2']);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { freeId, freePosition, moved, packed, type TilePosition } from './tile-layout.ts';

const tile = (Id: string, X: number, Y: number, W = 4, H = 3): TilePosition => ({ Id, X, Y, W, H });
const overlap = (a: TilePosition, b: TilePosition): boolean =>
  a.Id !== b.Id && a.X < b.X + b.W && b.X < a.X + a.W && a.Y < b.Y + b.H && b.Y < a.Y + a.H;

test('a tile is moved by columns, and past the tile below or above it', () => {
  const tiles = [tile('a', 0, 0), tile('b', 0, 3)];
  expect(moved(tiles, 'a', { x: 1 })[0]).toMatchObject({ X: 1, Y: 0 });
  expect(moved(tiles, 'a', { x: -1 })[0]).toMatchObject({ X: 0 });
  expect(moved(tiles, 'a', { y: 1 }).map(({ Y }) => Y)).toEqual([3, 0]);
  expect(moved(tiles, 'b', { y: -1 }).map(({ Y }) => Y)).toEqual([3, 0]);
});

test('each step up or down takes a tile past one neighbour in its columns, and every place between can be reached', () => {
  const order = (tiles: readonly TilePosition[]): string =>
    tiles
      .toSorted((a, b) => a.Y - b.Y)
      .map(({ Id }) => Id)
      .join('');
  let tiles = [tile('a', 0, 0), tile('b', 0, 3, 12, 14), tile('c', 2, 17, 4, 2), tile('d', 0, 19, 6, 7)];
  const orders: string[] = [];
  for (const y of [1, 1, 1, 1, -1, -1, -1, -1]) {
    tiles = moved(tiles, 'a', { y });
    orders.push(order(tiles));
  }
  expect(orders).toEqual(['bacd', 'bcad', 'bcda', 'bcda', 'bcad', 'bacd', 'abcd', 'abcd']);
  expect(tiles.map(({ Y }) => Y)).toEqual([0, 3, 17, 19]);
});

test('a tile is moved past those beside each other one after the other, and past none that is in other columns', () => {
  const beside = [tile('a', 0, 0, 12, 2), tile('b', 0, 2, 6, 3), tile('c', 6, 2, 6, 8)];
  const once = moved(beside, 'a', { y: 1 });
  expect(once.map(({ Y }) => Y)).toEqual([3, 0, 5]);
  expect(moved(once, 'a', { y: 1 }).map(({ Y }) => Y)).toEqual([8, 0, 0]);
  const apart = [tile('a', 0, 0), tile('b', 4, 0, 4, 9), tile('c', 0, 3)];
  expect(moved(apart, 'a', { y: 1 }).map(({ Y }) => Y)).toEqual([3, 0, 0]);
});

test('whatever the tiles, each step down puts one more tile above the moved one, until all of its columns are', () => {
  const positions = fc.array(
    fc.record({
      X: fc.integer({ min: 0, max: 8 }),
      Y: fc.integer({ min: 0, max: 9 }),
      W: fc.integer({ min: 1, max: 4 }),
      H: fc.integer({ min: 2, max: 15 }),
    }),
    { minLength: 1, maxLength: 12 },
  );
  const inColumns = (tiles: readonly TilePosition[]): TilePosition[] =>
    tiles.filter(({ Id, X, W }) => Id !== 't0' && X < tiles[0]!.X + tiles[0]!.W && tiles[0]!.X < X + W);
  const above = (tiles: readonly TilePosition[]): number => inColumns(tiles).filter(({ Y }) => Y < tiles[0]!.Y).length;
  fc.assert(
    fc.property(positions, (made) => {
      let tiles = packed(made.map((position, index) => ({ ...position, Id: `t${index}` })));
      const all = inColumns(tiles).length;
      for (let count = above(tiles); count < all; count += 1) {
        expect(above(tiles)).toBe(count);
        tiles = moved(tiles, 't0', { y: 1 });
      }
      for (let count = all; count > 0; count -= 1) {
        expect(above(tiles)).toBe(count);
        tiles = moved(tiles, 't0', { y: -1 });
      }
      expect(tiles[0]!.Y).toBe(0);
    }),
  );
});

test('a tile that grows pushes others away, and stays within the columns', () => {
  const tiles = [tile('a', 0, 0), tile('b', 4, 0)];
  expect(moved(tiles, 'a', { w: 1 })).toMatchObject([{ W: 5 }, { X: 4, Y: 3 }]);
  expect(moved([tile('a', 8, 0)], 'a', { w: 1 })[0]).toMatchObject({ X: 7, W: 5 });
  expect(moved([tile('a', 0, 0, 1, 2)], 'a', { w: -1, h: -1 })[0]).toMatchObject({ W: 1, H: 2 });
});

test('a new tile takes the first room there is', () => {
  expect(freePosition([tile('a', 0, 0)], { W: 4, H: 3 })).toEqual({ X: 4, Y: 0, W: 4, H: 3 });
  expect(freePosition([tile('a', 0, 0, 12)], { W: 4, H: 3 })).toMatchObject({ X: 0, Y: 3 });
  expect(freeId([tile('t1', 0, 0), tile('t7', 0, 0)])).toBe('t8');
});

test('whatever is done, no tile is over another or beyond the columns, and all stay', () => {
  const positions = fc.array(
    fc.record({
      X: fc.integer({ min: 0, max: 8 }),
      Y: fc.integer({ min: 0, max: 9 }),
      W: fc.integer({ min: 1, max: 4 }),
      H: fc.integer({ min: 2, max: 5 }),
    }),
    { minLength: 1, maxLength: 12 },
  );
  const steps = fc.array(
    fc.record({
      of: fc.nat(11),
      x: fc.integer({ min: -1, max: 1 }),
      y: fc.integer({ min: -1, max: 1 }),
      w: fc.integer({ min: -1, max: 1 }),
      h: fc.integer({ min: -1, max: 1 }),
    }),
  );
  fc.assert(
    fc.property(positions, steps, (made, taken) => {
      let tiles = packed(made.map((position, index) => ({ ...position, Id: `t${index}` })));
      for (const { of, ...step } of taken) tiles = moved(tiles, `t${of % made.length}`, step);
      expect(tiles).toHaveLength(made.length);
      for (const one of tiles) {
        expect(one.X >= 0 && one.X + one.W <= 12).toBe(true);
        expect(tiles.some((other) => overlap(one, other))).toBe(false);
      }
    }),
  );
});

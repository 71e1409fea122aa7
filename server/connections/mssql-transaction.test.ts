import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { hasMismatchingCount, watchTransaction } from './mssql-transaction.ts';
import type { MssqlSession } from './procedures/session-mssql.ts';

/**
 * A fake connection with the parts of the driver that report transactions: the descriptor, and the event for a rollback
 * by the server.
 */
class FakeSession extends EventEmitter {
  private descriptor = Buffer.alloc(8);

  currentTransactionDescriptor(): Buffer {
    return this.descriptor;
  }
  begin(): void {
    this.descriptor = Buffer.alloc(8);
  }
  rollback(): void {
    this.emit('rollbackTransaction');
    this.descriptor = Buffer.alloc(8);
  }
}

const numbered = (number: number): Error => Object.assign(new Error(`error ${number}`), { number });
const MISMATCH = numbered(266);
const OTHER = numbered(208);

describe('a transaction around statements of somebody else', () => {
  it.for<[what: string, statements: (session: FakeSession) => void, failure: unknown, hasEnded: boolean]>([
    ['stays, where they leave it alone', () => undefined, undefined, false],
    ['stays, where they fail within it', () => undefined, OTHER, false],
    ['stays, where they only begin or end one in excess', () => undefined, MISMATCH, false],
    ['is not ended by them, where an error takes it back', (session) => session.rollback(), OTHER, false],
    [
      'is not ended by them, where one of several errors takes it back',
      (session) => session.rollback(),
      new AggregateError([OTHER, MISMATCH]),
      false,
    ],
    ['is ended by a ROLLBACK that leads to a mismatching count', (session) => session.rollback(), MISMATCH, true],
    [
      'is ended by a ROLLBACK that leads to several of these',
      (session) => session.rollback(),
      new AggregateError([MISMATCH, MISMATCH]),
      true,
    ],
    [
      'is ended by a ROLLBACK after which as many are begun, which no count shows',
      (session) => {
        session.rollback();
        session.begin();
      },
      undefined,
      true,
    ],
    ['is ended by a COMMIT, whatever fails later', (session) => session.begin(), OTHER, true],
  ])('%s', ([, statements, failure, hasEnded]) => {
    const session = new FakeSession();
    const watched = watchTransaction(session as unknown as MssqlSession);
    statements(session);
    watched.stop();
    expect(watched.hasEnded(failure)).toBe(hasEnded);
    expect(session.listenerCount('rollbackTransaction')).toBe(0);
  });

  it('has a mismatching count only where nothing else failed', () => {
    const failures = [
      undefined,
      OTHER,
      MISMATCH,
      new AggregateError([MISMATCH]),
      new AggregateError([MISMATCH, OTHER]),
    ];
    expect(failures.map(hasMismatchingCount)).toEqual([false, false, true, true, false]);
  });
});

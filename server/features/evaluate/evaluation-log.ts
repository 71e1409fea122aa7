/** Records evaluations in the log of security actions. Lines of calls that come together share a transaction. */
import { createBatcher } from '#server/background/batcher.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Actor } from '#server/access/actor.ts';
import { recordActions, type NewAction } from '#server/access/audit/record-actions.ts';
import { counted } from '#shared/codecs/counted.ts';

export interface Evaluated {
  ActivityId: number;
  Version: number;
  rows: number;
  /** Name of the assistant that made the call for the person. */
  clientName?: string | undefined;
}

export type RecordEvaluation = (actor: Actor, evaluated: Evaluated) => Promise<void>;

/** Maximum number of lines in a transaction; during it, nobody else can add lines. */
const MAX_BATCH_SIZE = 50;

export function createEvaluationLog({ knex }: Pick<Database, 'knex'>): RecordEvaluation {
  const many = async (lines: readonly { actor: Actor; action: NewAction }[]): Promise<void[]> => {
    await inTransaction(knex, async (trx) => {
      for (const { actor, action } of lines) await recordActions(trx, actor, [action]);
    });
    return lines.map(() => undefined);
  };
  const alone = async (line: { actor: Actor; action: NewAction }): Promise<void> => void (await many([line]));
  const record = createBatcher({ many, alone, isUncertain: () => false, maxBatchSize: MAX_BATCH_SIZE });
  return (actor, { ActivityId, Version, rows, clientName }) =>
    record({
      actor,
      action: {
        Action: 'EvaluateActivity',
        KeyColumnName: 'ActivityId',
        KeyColumnValue: `${ActivityId}, version ${Version}, ${counted(rows, 'row')}${clientName === undefined ? '' : `, for ${clientName}`}`,
      },
    });
}

/** Lets editors offer activities to assistants as tools. */
import type { ActivityAccess } from '#server/access/activity-access.ts';
import { actorOf } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AssistantOffer } from '#shared/contract/assistants.ts';
import { isOffered, setOffered } from './offers-repository.ts';
import { ownToolName } from './tools/run-tools.ts';

export interface OffersService {
  /** Throws an AppError 404 or 403 if the person may not edit the activity. */
  get(person: Person, activityId: number): Promise<AssistantOffer>;
  set(person: Person, change: { activityId: number; isOffered: boolean; address: string }): Promise<AssistantOffer>;
}

export interface OffersDeps {
  database: Pick<Database, 'knex'>;
  access: ActivityAccess;
  isOn: boolean;
}

export function createOffersService({ database: { knex }, access, isOn }: OffersDeps): OffersService {
  return {
    get: async (person, activityId) => {
      const { activity } = await access.requireEdit(knex, person, activityId);
      const IsOffered = await isOffered(knex, activity.Id);
      return { IsOffered, ToolName: ownToolName(activity.Name, activity.Id), IsOn: isOn };
    },
    set: async (person, { activityId, isOffered: IsOffered, address }) => {
      const { activity } = await access.requireEdit(knex, person, activityId);
      await inTransaction(knex, async (trx) => {
        if ((await isOffered(trx, activity.Id)) === IsOffered) return;
        await setOffered(trx, activity.Id, IsOffered);
        const action = {
          Action: IsOffered ? 'OfferToAssistants' : 'WithdrawFromAssistants',
          KeyColumnName: 'ActivityId',
          KeyColumnValue: String(activity.Id),
        } as const;
        await recordActions(trx, actorOf(person, address), [action]);
      });
      return { IsOffered, ToolName: ownToolName(activity.Name, activity.Id), IsOn: isOn };
    },
  };
}

import { Checkbox } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { assistantOffer, offerToAssistants } from '#shared/contract/assistants.ts';
import { call } from '#renderer/api/client.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { FailedCard } from '#renderer/ui/FailedCard.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { useChange } from '#renderer/ui/query/use-change.ts';

const TOUCHED = [assistantOffer];

/** Whether assistants see the activity as a separate tool. Not shown if the portal allows no assistants. */
export function AssistantCard({ activityId }: { activityId: number }) {
  const query = useQuery(queryOf(assistantOffer, { params: { id: activityId } }));
  const { isBusy, change } = useChange(TOUCHED);
  const { data } = query;
  if (!data) return query.error && <FailedCard title={t('Assistants')} query={query} />;
  if (!data.IsOn) return null;
  const set = (IsOffered: boolean): void =>
    void change(
      () => call(offerToAssistants, { body: { Id: activityId, IsOffered } }),
      IsOffered ? t('The activity is offered to assistants') : t('The activity is no longer offered to assistants'),
    );
  return (
    <Card title={t('Assistants')}>
      <Checkbox
        checked={data.IsOffered}
        disabled={isBusy}
        label={t('Offer to assistants')}
        onChange={(event) => set(event.currentTarget.checked)}
      />
      <p className="rs-muted">
        {t(
          'AI assistants of people who can run the activity get it as a tool named {toolName}. Its name, descriptions, inputs and outputs tell them what it is for.',
          { toolName: data.ToolName },
        )}
      </p>
    </Card>
  );
}

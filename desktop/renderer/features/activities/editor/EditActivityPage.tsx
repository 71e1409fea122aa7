import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { AlertsCard } from '#renderer/features/alerts/AlertsCard.tsx';
import { TriggersCard } from '#renderer/features/triggers/TriggersCard.tsx';
import { activityDetails, type Activity } from '#shared/contract/activities.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { LinkagesCard } from '#renderer/features/links/LinkagesCard.tsx';
import { AssistantCard } from '#renderer/features/assistants/AssistantCard.tsx';
import { QueueingCard } from '#renderer/features/queueing/QueueingCard.tsx';
import { ActivityScheduleCards } from '#renderer/features/schedules/ScheduleCards.tsx';
import { AccessFailure } from '#renderer/features/access/AccessFailure.tsx';
import { t } from '#renderer/language/translate.ts';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { Skeleton } from '#renderer/ui/states.tsx';
import { NotAllowed } from '#renderer/features/rights/OwnRights.tsx';
import { ActivityEditor } from './ActivityEditor.tsx';
import { activityMenu } from '#renderer/features/activities/activity-menu.tsx';
import { fieldsOf } from './editor-fields.ts';
import { PresetValues } from './PresetValues.tsx';
import { useActivityItem } from '#renderer/features/activities/use-activities.ts';
import { useDesignOfAddress } from './use-design-address.ts';
import { usePresets } from './use-presets.ts';

export function EditActivityPage() {
  const id = Number(useParams()['id']);
  // Fetch once for the form: a later response must not overwrite what the user typed.
  const { data, error, refetch } = useQuery({
    ...queryOf(activityDetails, { params: { id } }),
    staleTime: Infinity,
    gcTime: 0,
  });
  const lastRunId = useActivityItem(id)?.LastRun?.Id ?? null;
  const menu = data && activityMenu({ ...data, Id: id, LastRunId: data.LastRun?.Id ?? lastRunId }, ['edit']);
  const isWide = useDesignOfAddress() !== null;
  return (
    <Page
      title={data ? t('Edit Activity - {name}', { name: data.Name }) : t('Edit Activity')}
      menu={menu}
      narrow={!isWide}
    >
      {data && <Editor activity={data} onUpdated={() => void refetch()} />}
      {!data && error && <AccessFailure kind="Activity" id={id} error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <Card>
          <Skeleton kind="form" />
        </Card>
      )}
    </Page>
  );
}

interface EditorProps {
  activity: Activity;
  /** Called when the procedure was updated, which creates a new version with its own inputs. */
  onUpdated: () => void;
}

function Editor({ activity, onUpdated }: EditorProps) {
  if (!activity.CanEdit) return <NotAllowed right="sk.EditActivity" of={{ ActivityId: activity.Id }} />;
  return <Cards key={activity.Id} activity={activity} onUpdated={onUpdated} />;
}

function Cards({ activity, onUpdated }: EditorProps) {
  const { Id, Version } = activity;
  const presets = usePresets(activity);
  const designId = useDesignOfAddress();
  return (
    <>
      <ActivityEditor
        id={Id}
        version={Version}
        initial={{ ...fieldsOf(activity), designId }}
        region={activity.WorkbookRegion}
        schemas={[]}
        isElseUnsaved={presets.isUnsaved}
        onUpdated={onUpdated}
      />
      <PresetValues editing={presets} version={Version} />
      <LinkagesCard activity={activity} />
      <ActivityScheduleCards activityId={Id} />
      <QueueingCard activityId={Id} />
      <AssistantCard activityId={Id} />
      <TriggersCard kind="activities" id={Id} />
      <AlertsCard owner={{ kind: 'activities', id: Id }} />
    </>
  );
}

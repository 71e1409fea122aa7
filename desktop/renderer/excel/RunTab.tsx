import { useEffect, useState } from 'react';
import { activityDetails, listActivities, type Activity, type ActivityListItem } from '#shared/contract/activities.ts';
import { wholeSpecification, isFixed } from '#shared/codecs/input-form.ts';
import { t } from '#renderer/language/translate.ts';
import { ActivityChoice } from './ActivityChoice.tsx';
import type { Field, Fields } from './fields.ts';
import { InputField } from './InputField.tsx';
import { Button, Note, Problem } from './parts.tsx';
import { byName } from './publishing.ts';
import { storeWatchedRun, readWatchedRun, start, type WatchedRun } from './running.ts';
import { RunProgress } from './RunProgress.tsx';
import { client } from './session.ts';
import { useTask } from './use-task.ts';

/** Chooses, fills in, starts and watches an activity. */
export function RunTab() {
  const [activities, setActivities] = useState<ActivityListItem[] | null>(null);
  const [activity, setActivity] = useState<Activity | null>(null);
  const [chosen, setChosen] = useState(0);
  const [run, setRun] = useState<WatchedRun | null>(readWatchedRun);
  const list = useTask();
  const details = useTask();
  const [isStarting, setStarting] = useState(false);

  const load = (): void =>
    void list.run(async () => {
      const { Activities } = await client.call(listActivities);
      setActivities(byName(Activities.filter(({ CanRun }) => CanRun)));
    });
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- once
  useEffect(load, []);

  const choose = (id: number): void => {
    setChosen(id);
    setActivity(null);
    if (id === 0) return details.setProblem('');
    void details.run(async () => {
      setActivity(await client.call(activityDetails, { params: { id } }));
    });
  };
  const leave = (): void => {
    storeWatchedRun(null);
    setRun(null);
  };

  if (run) return <RunProgress key={run.runId} run={run} leave={leave} />;
  if (activities === null) {
    return (
      <div className="rs-pane-body">
        <Problem text={list.problem} />
        {list.problem === '' ? <Note>{t('Loading…')}</Note> : <Button onClick={load}>{t('Retry')}</Button>}
      </div>
    );
  }
  return (
    <div className="rs-pane-body">
      <div className="rs-pane-beside">
        <ActivityChoice
          label={t('Activity')}
          id="rs-activity"
          activities={activities}
          chosen={chosen}
          first={activities.length === 0 ? t('No activity that you may run') : t('Choose an activity')}
          choose={choose}
          disabled={details.isBusy || isStarting}
        />
        <Button disabled={list.isBusy} onClick={load} title={t('Reload the activities')}>
          {t('Refresh')}
        </Button>
      </div>
      <Problem text={list.problem} />
      {details.isBusy && <Note>{t('Loading…')}</Note>}
      <Problem text={details.problem} />
      {details.problem !== '' && <Button onClick={() => choose(chosen)}>{t('Retry')}</Button>}
      {activity && <RunForm key={activity.Id} activity={activity} started={setRun} onBusy={setStarting} />}
    </div>
  );
}

interface RunFormProps {
  activity: Activity;
  started: (run: WatchedRun) => void;
  onBusy: (isBusy: boolean) => void;
}

function RunForm({ activity, started, onBusy }: RunFormProps) {
  const [fields, setFields] = useState<Fields>({});
  const starting = useTask();
  /** Idempotency key of the start: a retry reuses it, because it may be unknown whether the first attempt succeeded. */
  const [uniqueId, setUniqueId] = useState(() => crypto.randomUUID());
  const change = (id: number, field: Field | null): void => {
    setFields((now) => {
      const others = Object.fromEntries(Object.entries(now).filter(([key]) => Number(key) !== id));
      return field === null ? others : { ...others, [id]: field };
    });
    setUniqueId(crypto.randomUUID());
  };
  const begin = async (): Promise<void> => {
    onBusy(true);
    await starting.run(async () => started(await start(activity, fields, uniqueId)));
    onBusy(false);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void begin();
      }}
    >
      {activity.Description !== '' && <p className="rs-muted">{activity.Description}</p>}
      {activity.Inputs.filter(({ Info }) => wholeSpecification(Info) !== 'Hidden').map((input) => (
        <InputField
          key={input.Id}
          activityId={activity.Id}
          input={input}
          isFixed={isFixed(input)}
          field={fields[input.Id] ?? null}
          change={(field) => change(input.Id, field)}
        />
      ))}
      <div className="rs-pane-actions">
        <Button type="submit" variant="primary" disabled={starting.isBusy}>
          {activity.DisplayInfo.StartDisplayName || t('Start')}
        </Button>
      </div>
      <Problem text={starting.problem} />
    </form>
  );
}

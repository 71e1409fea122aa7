import { Button, Callout } from '@blueprintjs/core';
import { InfoSign, Play, Refresh, Undo } from '@blueprintjs/icons';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { Activity } from '#shared/contract/activities.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { countIssues, isUnconfigured, UNCONFIGURED } from '#shared/rules/input-rules.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { useSession } from '#renderer/app/session.ts';
import { ErrorSummary, type FieldIssue } from '#renderer/ui/ErrorSummary.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { Skeleton } from '#renderer/ui/states.tsx';
import { StatusTag } from '#renderer/ui/StatusTag.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { discardDraft, draftKey, loadDraft } from './form-draft.ts';
import { isHiddenInput, type Forms } from './form-inputs.ts';
import type { StartedRun } from './form-calls.ts';
import type { FormOrigin } from './form-origin.ts';
import { ImmediateOutputs } from './ImmediateOutputs.tsx';
import { withoutLocked } from './link-forms.ts';
import { NewVersionDialog, NewVersionNotice, useNewestVersion } from './new-version.tsx';
import { createRunForm, type RunFormStore } from './run-form-store.ts';
import { fieldId, issueText, RunInput } from './RunInput.tsx';
import { useCtrlEnter } from './use-ctrl-enter.ts';
import { useFormDraft, useOpenedDraft } from './use-form-draft.ts';
import { useFormUpdates, type LiveForm } from './use-form-updates.ts';
import { useStartRun } from './use-start-run.ts';

export interface RunFormProps {
  activity: Activity;
  /** What the form begins with in place of the activity's defaults. */
  preloaded: Forms;
  /** Names what that comes from; null where from nothing: each such beginning keeps a draft of its own. */
  begins: number | string | null;
  origin?: FormOrigin;
  /** What happens with a run in place of its status being opened. */
  onRun?: (run: StartedRun) => void;
  /** Fetches the activity anew, and shows its newest version. */
  onReload: () => void;
  /** What the form says where it is not one of an activity. */
  texts?: RunFormTexts;
  /** Whether it may start without anybody pressing Start, where the activity is one that does. */
  startsByItself?: boolean;
}

export interface RunFormTexts {
  /** How the last run went. */
  lastRun: ReactNode;
  /** In place of inputs, where there are none. */
  noInputs: string;
  /** Why it cannot be started now. */
  notRunnable: string;
}

/** The form of one version of an activity. */
export function RunForm(props: RunFormProps) {
  const userName = useSession((state) => state.session?.userName ?? '');
  const key = draftKey(userName, props.activity.Id, props.begins);
  const isOpen = useOpenedDraft(key, userName);
  return isOpen ? <OpenedForm {...props} draft={key} userName={userName} /> : <Skeleton kind="form" />;
}

function OpenedForm({ draft: key, userName, ...props }: RunFormProps & { draft: string; userName: string }) {
  const [{ store, isRestored, number }, setForm] = useState(() => openForm(props, key, 1));
  const startOver = (): void => {
    store.setState({ isDone: true });
    discardDraft(bridge.window, key);
    setForm(openForm(props, key, number + 1));
  };
  return (
    <>
      {isRestored && (
        <Callout compact icon={<Undo />} className="rs-form-notice">
          What you entered earlier is back. <Button size="small" text="Start over" onClick={startOver} />
        </Callout>
      )}
      <FormOfStore
        key={number}
        store={store}
        draft={key}
        userName={userName}
        onRun={props.onRun}
        onReload={props.onReload}
        texts={props.texts ?? textsOf(store)}
        startsByItself={props.startsByItself ?? true}
      />
    </>
  );
}

function openForm({ activity, preloaded, origin }: RunFormProps, key: string, number: number) {
  const draft = withoutLocked(activity.Inputs, loadDraft(key, activity.Inputs));
  return {
    store: createRunForm(activity, preloaded, draft, origin),
    isRestored: Object.keys(draft).length > 0,
    number,
  };
}

interface FormOfStoreProps {
  store: RunFormStore;
  draft: string;
  userName: string;
  onRun: RunFormProps['onRun'];
  onReload: () => void;
  texts: RunFormTexts;
  startsByItself: boolean;
}

function FormOfStore({ store, draft, userName, onRun, onReload, texts, startsByItself }: FormOfStoreProps) {
  const { activity, origin } = store.getState();
  const isPublic = origin.kind === 'public';
  const isUnsafe = useFormDraft(store, draft, userName);
  const isUploading = useStore(store, (state) => Object.keys(state.uploads).length > 0);
  const onStarted = useCallback(() => {
    store.setState({ isDone: true });
    discardDraft(bridge.window, draft);
  }, [store, draft]);
  const { start, isStarting, newest, startShown, stay } = useStartRun(store, onStarted, onRun);
  const published = useNewestVersion(activity, origin);
  const navigate = useNavigate();
  const isRunnable = activity.CanRun && !activity.Inputs.some(isUnconfigured);
  useAutomaticStart(activity, isRunnable && startsByItself, start);
  useCtrlEnter(isRunnable ? start : null);
  const live = useFormUpdates(store);
  return (
    <form
      noValidate
      aria-label={`Inputs of ${activity.Name}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (isRunnable) start();
      }}
    >
      {/* The first button of a form is what Enter in a field presses: here only Start and Ctrl+Enter start. */}
      <button type="submit" disabled hidden aria-hidden />
      {published !== null && (
        <NewVersionNotice shown={activity.Version} newest={published} origin={origin} onReload={onReload} />
      )}
      <Summary store={store} />
      {texts.lastRun}
      {activity.Inputs.filter((input) => !isHiddenInput(input)).map((input) => (
        <RunInput key={input.Id} store={store} input={input} locked={!activity.CanRun} />
      ))}
      {activity.Inputs.every(isHiddenInput) && <p className="rs-muted">{texts.noInputs}</p>}
      <ImmediateOutputs store={store} />
      {!isRunnable && <NotRunnable text={texts.notRunnable} />}
      <div className="rs-form-actions">
        {isRunnable && (
          <Button
            intent="primary"
            icon={<Play />}
            text={activity.DisplayInfo.StartDisplayName || 'Start'}
            title="Ctrl+Enter"
            loading={isStarting}
            onClick={start}
          />
        )}
        {!isPublic && <Button text="Back" onClick={() => void navigate(-1)} />}
        <Updating store={store} live={live} />
      </div>
      <NewVersionDialog
        shown={activity.Version}
        newest={newest}
        onReload={() => {
          stay();
          onReload();
        }}
        onRunShown={startShown}
        onCancel={stay}
      />
      <LeaveWarning isUnsaved={(isUnsafe || isUploading) && !isStarting} />
    </form>
  );
}

/** The refresh button of a form that its workbook calculates along with, and what came of it. */
function Updating({ store, live: { refresh, announcement } }: { store: RunFormStore; live: LiveForm }) {
  const isUpdating = useStore(store, (state) => state.live.isUpdating);
  const failure = useStore(store, (state) => state.live.failure);
  if (!refresh) return null;
  return (
    <>
      <Button
        variant="minimal"
        icon={<Refresh />}
        aria-label="Refresh suggested values"
        title="Refresh suggested values"
        loading={isUpdating}
        onClick={refresh}
      />
      {failure !== null && <span className="rs-danger-text">{failure}</span>}
      <span className="rs-visually-hidden" role="status">
        {announcement}
      </span>
    </>
  );
}

function NotRunnable({ text }: { text: string }) {
  return (
    <Callout compact icon={<InfoSign />} intent="warning" className="rs-form-notice">
      {text}
    </Callout>
  );
}

function Summary({ store }: { store: RunFormStore }) {
  const { title, issues, general, attempt } = useStore(
    store,
    useShallow(({ title, issues, general, attempt }) => ({ title, issues, general, attempt })),
  );
  const { Inputs } = store.getState().activity;
  const lines: FieldIssue[] = [
    ...general.map((message) => ({ message })),
    ...Inputs.flatMap((input) => {
      const found = issues[input.Id] ?? [];
      const [first] = found;
      if (!first) return [];
      const others = countIssues(found) - 1;
      const more = others > 0 ? ` and ${others} more` : '';
      return [{ fieldId: fieldId(input), message: `${input.Name}: ${issueText(first)}${more}` }];
    }),
  ];
  // Once everything shown has been corrected there is nothing left to say.
  const isSettled = lines.length === 0 && title === 'Please correct the errors shown.';
  return <ErrorSummary title={isSettled ? null : title} issues={lines} attempt={attempt} />;
}

/** Activities that do not run twice at once say how their last run went. */
function LastRunLine({ activity: { SingleRun, LastRun, IsRunning } }: { activity: Activity }) {
  if (!SingleRun) return null;
  if (IsRunning && !(LastRun && isPending(LastRun.Status)))
    return <p className="rs-muted">The activity is being run. A run started now waits until that one has ended.</p>;
  if (!LastRun) return <p className="rs-muted">This activity has never been run before!</p>;
  return (
    <p className="rs-last-run">
      <StatusTag status={LastRun.Status} />
      <Link to={`/activities/runstatus/${LastRun.Id}/`}>
        Last run <DateText value={LastRun.QueueTime} as="relative" />
      </Link>
      <span className="rs-muted">by {LastRun.UserFullName}</span>
    </p>
  );
}

/** A report that may run beside itself and asks for nothing starts by itself. Source: specification of activities, section 4. */
function useAutomaticStart(activity: Activity, isRunnable: boolean, start: () => void): void {
  const isDone = useRef(false);
  useEffect(() => {
    const asksNothing = activity.Inputs.every((input) => input.PresetValue !== null);
    if (isDone.current || !isRunnable || activity.Function !== 'Report' || activity.SingleRun || !asksNothing) return;
    isDone.current = true;
    start();
  }, [activity, isRunnable, start]);
}

function textsOf(store: RunFormStore): RunFormTexts {
  const { activity, origin } = store.getState();
  return {
    lastRun: origin.kind === 'public' ? null : <LastRunLine activity={activity} />,
    noInputs: 'This activity has no inputs.',
    notRunnable: notRunnableText(activity),
  };
}

function notRunnableText({ CanRun, IsActive }: Activity): string {
  if (CanRun) return UNCONFIGURED;
  return IsActive ? 'You do not have permissions for this operation' : 'The activity is not active and cannot be run';
}

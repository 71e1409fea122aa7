import { Button, Callout } from '@blueprintjs/core';
import { InfoSign, Play, Refresh, Undo } from '@blueprintjs/icons';
import { use, useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { useServerReason } from '#renderer/api/connection.ts';
import { whyNotQueued } from './start/queue-start.ts';
import { useStore } from 'zustand';
import type { Activity } from '#shared/contract/activities.ts';
import { isUnconfigured, UNCONFIGURED } from '#shared/rules/input-rules.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { useSession } from '#renderer/app/session.ts';
import { said, t } from '#renderer/language/translate.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { Skeleton } from '#renderer/ui/states.tsx';
import { useEverTrue } from '#renderer/ui/use-ever-true.ts';
import { adoptDraft, discardDraft, draftKey, loadDraft, type DraftInput } from './draft/form-draft.ts';
import { isHiddenInput, type Forms } from './form-inputs.ts';
import type { StartedRun } from './start/started-run.ts';
import type { FormOrigin } from './form-origin.ts';
import { FormHostContext, type DryRun, type FormHost } from './form-host.ts';
import { withoutLocked } from './linked/link-forms.ts';
import { NewVersionNotice, useNewestVersion } from './new-version/new-version.tsx';
import { createRunForm, type RunFormStore } from './run-form-store.ts';
import { FormSections } from './fields/FormSections.tsx';
import { FormSummary } from './FormSummary.tsx';
import { useCtrlEnter } from './start/use-ctrl-enter.ts';
import { useFormDraft, useOpenedDraft } from './draft/use-form-draft.ts';
import { useFormUpdates, type LiveForm } from './use-form-updates.ts';
import { useStartRun } from './start/use-start-run.ts';
import './run-form.css';

// Loaded on demand: visitors do not need them, and many forms never use them.
const ImmediateOutputs = lazyPart(async () => (await import('./ImmediateOutputs.tsx')).ImmediateOutputs);
const NewVersionDialog = lazyPart(async () => (await import('./new-version/NewVersionDialog.tsx')).NewVersionDialog);
const DryRunView = lazyPart(async () => (await import('./start/DryRunView.tsx')).DryRunView);
const WhyNot = lazyPart(async () => (await import('#renderer/features/rights/OwnRights.tsx')).WhyNot);

export interface RunFormProps {
  activity: Activity;
  /** Initial values that replace the activity's defaults. */
  preloaded: Forms;
  /** Identifies the source of the initial values; null if there is none. Each source has its own draft. */
  draftSource: number | string | null;
  /** The form inputs of a start that waits on this computer. */
  filled?: DraftInput[] | null;
  origin?: FormOrigin;
  /** Called with the started run, instead of opening its status page. */
  onRun?: (run: StartedRun) => void;
  /** Refetches the activity and shows its newest version. */
  onReload: () => void;
  /** Texts of a form that does not belong to a single activity. */
  texts?: RunFormTexts;
  /** Called when the run was started or queued on this computer. */
  onStarted?: () => void;
  /** True if the form may start automatically, provided that the activity allows it. */
  startsByItself?: boolean;
  /** Why it cannot be started yet; the page itself shows this. */
  notYet?: string | undefined;
  /** Shown between the inputs and the buttons. */
  children?: (store: RunFormStore) => ReactNode;
}

export interface RunFormTexts {
  /** Shows how the last run went. */
  lastRun: ReactNode;
  /** Shown if there are no inputs. */
  noInputs: string;
  /** Why the run cannot be started now. */
  notRunnable: ReactNode;
}

/** The form of one version of an activity. The portal wraps it in a PortalRunForm. */
export function RunForm(props: RunFormProps) {
  const userName = useSession((state) => state.session?.userName ?? '');
  const key = draftKey(userName, props.activity.Id, props.draftSource);
  const isOpen = useOpenedDraft(key, userName);
  return isOpen ? <OpenedForm {...props} draft={key} userName={userName} /> : <Skeleton kind="form" />;
}

function OpenedForm({ draft: key, userName, ...props }: RunFormProps & { draft: string; userName: string }) {
  const host = use(FormHostContext);
  const [{ store, isRestored, number }, setForm] = useState(() => openForm(props, key, 1));
  const startOver = (): void => {
    store.setState({ isDone: true });
    discardDraft(bridge.drafts, key);
    setForm(openForm(props, key, number + 1));
  };
  return (
    <>
      {isRestored && (
        <Callout compact icon={<Undo />} className="rs-form-notice">
          {t('What you entered earlier is back.')} <Button size="small" text={t('Start over')} onClick={startOver} />
        </Callout>
      )}
      <FormOfStore
        key={number}
        store={store}
        draft={key}
        userName={userName}
        onRun={props.onRun}
        onStarted={props.onStarted}
        onReload={props.onReload}
        texts={props.texts ?? textsOf(store, host)}
        startsByItself={props.startsByItself ?? true}
        notYet={props.notYet}
      >
        {props.children?.(store)}
      </FormOfStore>
    </>
  );
}

function openForm({ activity, preloaded, origin, filled }: RunFormProps, key: string, number: number) {
  if (filled) adoptDraft(key, filled);
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
  onStarted: RunFormProps['onStarted'];
  onReload: () => void;
  texts: RunFormTexts;
  startsByItself: boolean;
  notYet: string | undefined;
  children: ReactNode;
}

function FormOfStore({
  store,
  draft,
  userName,
  onRun,
  onStarted: onEnd,
  onReload,
  texts,
  startsByItself,
  notYet,
  children,
}: FormOfStoreProps) {
  const { activity, origin } = store.getState();
  const isPublic = origin.kind === 'public';
  const isUnsafe = useFormDraft(store, draft, userName);
  const [dryRun, setDryRun] = useState<DryRun | null>(null);
  const isUploading = useStore(store, (state) => Object.keys(state.uploads).length > 0);
  const onStarted = useCallback(() => {
    store.setState({ isDone: true });
    discardDraft(bridge.drafts, draft);
    onEnd?.();
  }, [store, draft, onEnd]);
  const { start, isStarting, newest, startShown, stay } = useStartRun(store, onStarted, onRun);
  const { blocked, queueText } = useQueueing(store);
  const wasRefused = useEverTrue(newest !== null);
  const published = useNewestVersion(activity, origin);
  const { goBack, LeaveWarning, Tools, DryRunButton } = use(FormHostContext);
  const isRunnable = activity.CanRun && !activity.Inputs.some(isUnconfigured);
  // Not after a reconnect either: a form that was opened offline was opened for reading.
  const [wasOnline] = useState(() => bridge.connection.state() === 'online');
  useAutomaticStart(activity, isRunnable && startsByItself && wasOnline, start);
  const obstacle = blocked ?? notYet;
  const startNow = isRunnable && obstacle === undefined ? start : null;
  useCtrlEnter(startNow);
  const live = useFormUpdates(store);
  const hasOutputs = useStore(store, (state) => state.live.outputs.length > 0);
  return (
    <form
      noValidate
      aria-label={t('Inputs of {name}', { name: activity.Name })}
      onSubmit={(event) => {
        event.preventDefault();
        startNow?.();
      }}
    >
      {/* Enter in a field presses the first button of a form. This disabled button prevents that: only Start and Ctrl+Enter start. */}
      <button type="submit" disabled hidden aria-hidden />
      {published !== null && (
        <NewVersionNotice shown={activity.Version} newest={published} origin={origin} onReload={onReload} />
      )}
      <FormSummary store={store} />
      {texts.lastRun}
      {origin.kind === 'own' && isRunnable && <Tools store={store} />}
      <FormSections store={store} locked={!activity.CanRun} />
      {activity.Inputs.every(isHiddenInput) && <p className="rs-muted">{texts.noInputs}</p>}
      {hasOutputs && <ImmediateOutputs store={store} />}
      {!isRunnable && <NotRunnable text={texts.notRunnable} />}
      {isRunnable && blocked !== undefined && <NotRunnable text={blocked} />}
      {children}
      {dryRun && <DryRunView key={dryRun.uniqueId} store={store} dryRun={dryRun} onClose={() => setDryRun(null)} />}
      <div className="rs-form-actions rs-sticky-actions">
        {isRunnable && (
          <StartButton
            text={queueText ?? (activity.DisplayInfo.StartDisplayName || t('Start'))}
            obstacle={obstacle}
            isStarting={isStarting}
            onStart={start}
          />
        )}
        {origin.kind === 'own' && isRunnable && activity.Type === 'Workbook' && (
          <DryRunButton store={store} onDryRun={setDryRun} />
        )}
        {!isPublic && <Button text={t('Back')} onClick={goBack} />}
        <Updating store={store} live={live} />
      </div>
      {wasRefused && (
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
      )}
      <LeaveWarning isUnsaved={(isUnsafe || isUploading) && !isStarting} />
    </form>
  );
}

interface StartButtonProps {
  text: string;
  obstacle: string | undefined;
  isStarting: boolean;
  onStart: () => void;
}

const StartButton = ({ text, obstacle, isStarting, onStart }: StartButtonProps) => (
  <Button
    intent="primary"
    icon={<Play />}
    text={text}
    title={obstacle ?? t('Ctrl+Enter')}
    disabled={obstacle !== undefined}
    loading={isStarting}
    onClick={onStart}
  />
);

/** Returns what Start does while the server is unreachable: it queues the start, or it is blocked with a reason. */
function useQueueing(store: RunFormStore): { blocked?: string | undefined; queueText?: string } {
  const reason = useServerReason();
  if (reason === undefined) return {};
  const why = whyNotQueued(store.getState());
  return why === null ? { queueText: t('Start when the server is available') } : { blocked: `${why}.` };
}

/** Refresh button and status of a form that its workbook calculates live. */
function Updating({ store, live: { refresh, announcement } }: { store: RunFormStore; live: LiveForm }) {
  const isUpdating = useStore(store, (state) => state.live.isUpdating);
  const failure = useStore(store, (state) => state.live.failure);
  if (!refresh) return null;
  return (
    <>
      <Button
        variant="minimal"
        icon={<Refresh />}
        aria-label={t('Refresh suggested values')}
        title={t('Refresh suggested values')}
        loading={isUpdating}
        onClick={refresh}
      />
      {failure !== null && <span className="rs-danger-text">{said(failure)}</span>}
      <span className="rs-visually-hidden" role="status">
        {announcement}
      </span>
    </>
  );
}

function NotRunnable({ text }: { text: ReactNode }) {
  return (
    <Callout compact icon={<InfoSign />} intent="warning" className="rs-form-notice">
      {text}
    </Callout>
  );
}

/**
 * Starts a report automatically if it asks for nothing and may run several times at once. Source: specification of
 * activities, section 4.
 */
function useAutomaticStart(activity: Activity, isRunnable: boolean, start: () => void): void {
  const isDone = useRef(false);
  useEffect(() => {
    const asksNothing = activity.Inputs.every((input) => input.PresetValue !== null);
    if (isDone.current || !isRunnable || activity.Function !== 'Report' || activity.SingleRun || !asksNothing) return;
    isDone.current = true;
    start();
  }, [activity, isRunnable, start]);
}

function textsOf(store: RunFormStore, { LastRun }: FormHost): RunFormTexts {
  const { activity, origin } = store.getState();
  return {
    lastRun: <LastRun activity={activity} />,
    noInputs: t('This activity has no inputs.'),
    notRunnable: <WhyNotRunnable activity={activity} isPublic={origin.kind === 'public'} />,
  };
}

function WhyNotRunnable({ activity, isPublic }: { activity: Activity; isPublic: boolean }) {
  if (activity.CanRun) return UNCONFIGURED;
  if (!activity.IsActive) return t('The activity is not active and cannot be run');
  return (
    <>
      {t('You do not have permissions for this operation')}{' '}
      {!isPublic && <WhyNot right="sk.RunActivity" of={{ ActivityId: activity.Id }} />}
    </>
  );
}

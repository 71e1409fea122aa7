import { Button, Checkbox, InputGroup, PopoverNext } from '@blueprintjs/core';
import { FolderClose, Link, Trash } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { encodeInput } from '#shared/codecs/input-form.ts';
import {
  deleteInputSet,
  listInputSets,
  readInputSet,
  saveInputSet,
  type InputSet,
  type InputSetValue,
} from '#shared/contract/input-sets.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { runDetails } from '#shared/contract/runs.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { call } from '#renderer/api/client.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';
import { listText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { LimitedInput } from '#renderer/ui/LimitedInput.tsx';
import { offerUndo } from '#renderer/ui/query/offer-undo.ts';
import { showError, showMessage } from '#renderer/ui/toaster.tsx';
import { formsOfRun, type Forms } from './form-inputs.ts';
import { formsOfValues, isKeepable, linkValues, MAX_LINK_LENGTH } from './prefilled-link.ts';
import { fillForms, type RunFormState, type RunFormStore } from './run-form-store.ts';
import { unreadInputs } from './unread-values.ts';

/** Tools that fill in the form or save its values: named input sets and a link with values. */
export function FormTools({ store }: { store: RunFormStore }) {
  const { activity } = store.getState();
  if (!activity.Inputs.some(isKeepable)) return null;
  return (
    <div className="rs-form-tools">
      <PopoverNext placement="bottom-start" content={<InputSets store={store} />}>
        <Button icon={<FolderClose />} text={t('Input sets')} aria-haspopup="dialog" />
      </PopoverNext>
      <Button
        icon={<Link />}
        text={t('Copy link with values')}
        title={t('Copies a link to this form with the values you changed, without files')}
        onClick={() => void copyLink(store.getState())}
      />
    </div>
  );
}

async function copyLink({ activity, forms, changed }: RunFormState): Promise<void> {
  const sent = activity.Inputs.filter((input) => changed.has(input.Id) && isKeepable(input));
  if (refusesUnread(sent, forms)) return;
  const values = linkValues(activity.Inputs, forms, changed);
  if (values.length > MAX_LINK_LENGTH)
    return showError(t('The values are too long for a link. Save them as an input set instead.'));
  const address = bridge.sharedAddress(`activities/run/${activity.Id}/${values === '' ? '' : `#${values}`}`);
  if (await bridge.copyText(address)) showMessage(t('Copied'));
}

/** Returns true, and says why, if the form has texts that could not be stored as values. */
function refusesUnread(inputs: readonly Input[], forms: Forms): boolean {
  const names = unreadInputs(inputs, forms);
  if (names.length > 0) showError(t('Correct these inputs first: {names}', { names: listText(names) }));
  return names.length > 0;
}

/** Fills in the form and reports how many inputs were filled. */
function fill(store: RunFormStore, forms: Forms): void {
  const count = Object.keys(forms).length;
  if (count === 0) return showError(t('None of the values fits the inputs of this version.'));
  fillForms(store, forms);
  showMessage(t('{count, plural, one {Filled in 1 input} other {Filled in # inputs}}', { count }));
}

function InputSets({ store }: { store: RunFormStore }) {
  const { activity } = store.getState();
  const query = useQuery(queryOf(listInputSets, { params: { id: activity.Id } }));
  const { data } = query;
  const [isBusy, setBusy] = useState(false);
  const reason = useServerReason();
  /** Resolves with true on success. */
  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    setBusy(true);
    try {
      await work();
      return true;
    } catch (failed) {
      showError(toFailure(failed).message);
      return false;
    } finally {
      setBusy(false);
    }
  };
  const refresh = () => queryClient.invalidateQueries({ queryKey: keyOf(listInputSets) });
  const open = (set: InputSet) =>
    attempt(async () => {
      const { Inputs } = await call(readInputSet, { params: { id: set.Id } });
      fill(store, formsOfValues(activity.Inputs, Inputs));
    });
  const remove = (set: InputSet) =>
    attempt(async () => {
      const { Name, IsShared } = set;
      const { Inputs } = await call(readInputSet, { params: { id: set.Id } });
      await call(deleteInputSet, { params: { id: set.Id } });
      const restore = () => call(saveInputSet, { body: { ActivityId: activity.Id, Name, IsShared, Inputs } });
      offerUndo(t('Input set “{name}” deleted', { name: Name }), restore, [listInputSets]);
      await refresh();
    });
  const save = async (Name: string, IsShared: boolean): Promise<boolean> => {
    const state = store.getState();
    if (refusesUnread(state.activity.Inputs.filter(isKeepable), state.forms)) return false;
    return attempt(async () => {
      await call(saveInputSet, {
        body: { ActivityId: activity.Id, Name, IsShared, Inputs: valuesOf(state) },
      });
      showMessage(t('Saved'));
      await refresh();
    });
  };
  const openRun = (id: number) =>
    attempt(async () => {
      const run = await call(runDetails, { params: { id }, query: { activity: true } });
      if (run.ActivityId !== activity.Id)
        showError(t('Run {id} belongs to {name}, not to this activity.', { id, name: run.Name }));
      else fill(store, formsOfRun(activity.Inputs, run.Inputs));
    });
  return (
    <div className="rs-input-sets">
      <FetchFailure query={query} text={t('The input sets could not be loaded.')} />
      {data?.length === 0 && (
        <p className="rs-muted">
          {t('Save values here under a name, so that you can fill in the form with them again.')}
        </p>
      )}
      <ul aria-label={t('Input sets')}>
        {(data ?? []).map((set) => (
          <li key={set.Id}>
            <Button variant="minimal" alignText="start" fill disabled={isBusy} onClick={() => void open(set)}>
              {set.Name}
              {set.IsShared && (
                <span className="rs-muted"> {t('shared by {userFullName}', { userFullName: set.UserFullName })}</span>
              )}
            </Button>
            {set.CanChange && (
              <Button
                variant="minimal"
                icon={<Trash />}
                aria-label={t('Delete the input set {name}', { name: set.Name })}
                disabled={isBusy || reason !== undefined}
                title={reason}
                onClick={() => void remove(set)}
              />
            )}
          </li>
        ))}
      </ul>
      <SaveSet canShare={activity.CanEdit} isBusy={isBusy} reason={reason} onSave={save} />
      <AsInRun isBusy={isBusy} reason={reason} onRun={openRun} />
    </div>
  );
}

/** Returns the values to save. Files are not saved. */
const valuesOf = ({ activity, forms }: RunFormState): InputSetValue[] =>
  activity.Inputs.filter(isKeepable).flatMap((input) =>
    encodeInput(input, forms[input.Id]!).map(({ Value = null, UseDefault = false }) => ({
      Name: input.Name,
      Value,
      UseDefault,
    })),
  );

interface SaveSetProps {
  canShare: boolean;
  isBusy: boolean;
  reason: string | undefined;
  /** Resolves with true if the set was saved. */
  onSave: (name: string, isShared: boolean) => Promise<boolean>;
}

/** Not a form element, because it is inside the form that starts the run. */
function SaveSet({ canShare, isBusy, reason, onSave }: SaveSetProps) {
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const save = (event: FormEvent): void => {
    event.preventDefault();
    // The popover is rendered elsewhere in the DOM, but React bubbles the event to the surrounding form.
    event.stopPropagation();
    if (name.trim() !== '') void onSave(name.trim(), isShared).then((isSaved) => isSaved && setName(''));
  };
  return (
    <form onSubmit={save} aria-label={t('Save as an input set')}>
      <div className="rs-input-sets-line">
        <LimitedInput
          aria-label={t('Name of the input set')}
          placeholder={t('Name of the input set')}
          maxLength={60}
          value={name}
          onValueChange={setName}
        />
        <Button
          type="submit"
          text={t('Save')}
          loading={isBusy}
          disabled={reason !== undefined || name.trim() === ''}
          title={reason}
        />
      </div>
      {canShare && (
        <Checkbox checked={isShared} onChange={(event) => setShared(event.currentTarget.checked)}>
          {t('For everyone who runs the activity')}
        </Checkbox>
      )}
    </form>
  );
}

interface AsInRunProps {
  isBusy: boolean;
  reason: string | undefined;
  onRun: (id: number) => Promise<unknown>;
}

function AsInRun({ isBusy, reason, onRun }: AsInRunProps) {
  const [text, setText] = useState('');
  const id = Number(text);
  const isRun = /^\d{1,15}$/.test(text) && id > 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    if (isRun) void onRun(id);
  };
  return (
    <form onSubmit={submit} aria-label={t('Values of an earlier run')}>
      <div className="rs-input-sets-line">
        <InputGroup
          aria-label={t('Run number')}
          placeholder={t('Run number')}
          inputMode="numeric"
          value={text}
          onValueChange={(value) => setText(value.trim())}
        />
        <Button
          type="submit"
          text={t('Fill in')}
          loading={isBusy}
          disabled={reason !== undefined || !isRun}
          title={reason}
        />
      </div>
    </form>
  );
}

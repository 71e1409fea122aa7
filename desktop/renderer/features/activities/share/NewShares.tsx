import { Button, HTMLSelect } from '@blueprintjs/core';
import { Cross, Duplicate, Plus } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { ACCESS_MESSAGE_MAX } from '#shared/contract/access-requests.ts';
import { activityShares, shareActivity, shareCandidates, type ShareHolder } from '#shared/contract/sharing.ts';
import type { ShareLevel } from '#shared/rules/share-levels.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { call } from '#renderer/api/client.ts';
import { keepPrevious, queryOf } from '#renderer/api/queries.ts';
import { SearchField } from '#renderer/ui/SearchField.tsx';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { t } from '#renderer/language/translate.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { TextField } from '#renderer/ui/FormField.tsx';
import { ServerButton } from '#renderer/ui/ServerButton.tsx';
import { showMessage } from '#renderer/ui/toaster.tsx';
import { HolderName, keyOfHolder } from './HolderName.tsx';
import { LEVEL } from './share-texts.ts';

const TOUCHED = [activityShares];

interface NewSharesProps {
  id: number;
  /** The levels that the user may give. */
  levels: readonly ShareLevel[];
}

/** Chooses people and roles, and shares the activity with all of them at once. */
export function NewShares({ id, levels }: NewSharesProps) {
  const [level, setLevel] = useState<ShareLevel>(levels[0] ?? 'Run');
  const [chosen, setChosen] = useState<readonly ShareHolder[]>([]);
  const [message, setMessage] = useState('');
  const { isBusy, change } = useChange(TOUCHED);
  const remove = (holder: ShareHolder): void =>
    setChosen(chosen.filter((one) => keyOfHolder(one) !== keyOfHolder(holder)));
  const share = async (): Promise<void> => {
    const UserIds = chosen.flatMap(({ UserId }) => UserId ?? []);
    const Roles = chosen.flatMap(({ UserId, Name }) => (UserId === null ? Name : []));
    const body = { Level: level, UserIds, Roles, Message: message };
    if (!(await change(() => call(shareActivity, { params: { id }, body }), t('Shared')))) return;
    setChosen([]);
    setMessage('');
  };
  return (
    <section aria-label={t('People and roles')}>
      <h2>{t('People and roles')}</h2>
      <Candidates id={id} chosen={chosen} onChoose={(holder) => setChosen([...chosen, holder])} />
      {chosen.length > 0 && <Chosen chosen={chosen} onRemove={remove} />}
      <div className="rs-share-new">
        <HTMLSelect
          aria-label={t('What they may do')}
          value={level}
          options={levels.map((value) => ({ value, label: LEVEL[value].title }))}
          onChange={(event) => setLevel(event.currentTarget.value as ShareLevel)}
        />
        <span className="rs-muted">{LEVEL[level].sees}</span>
      </div>
      {chosen.length > 0 && (
        <TextField
          label={t('Your message')}
          labelInfo={t('(optional)')}
          rows={2}
          maxLength={ACCESS_MESSAGE_MAX}
          value={message}
          onChange={setMessage}
        />
      )}
      <div className="rs-share-new">
        <ServerButton
          intent="primary"
          text={t('Share')}
          loading={isBusy}
          disabled={chosen.length === 0 || message.length > ACCESS_MESSAGE_MAX}
          onClick={() => void share()}
        />
        <CopyLink address={bridge.sharedAddress(`activities/${id}/`)} />
      </div>
    </section>
  );
}

export function CopyLink({ address }: { address: string }) {
  const copy = async (): Promise<void> => {
    if (await bridge.copyText(address)) showMessage(t('Copied'));
  };
  return <Button icon={<Duplicate title={false} />} text={t('Copy link')} onClick={() => void copy()} />;
}

function Chosen({ chosen, onRemove }: { chosen: readonly ShareHolder[]; onRemove: (holder: ShareHolder) => void }) {
  return (
    <ul className="rs-plain-list rs-share-chosen" aria-label={t('Chosen')}>
      {chosen.map((holder) => (
        <li key={keyOfHolder(holder)}>
          <Button
            size="small"
            text={holder.Name}
            endIcon={<Cross title={false} />}
            aria-label={t('Remove {name}', { name: holder.Name })}
            onClick={() => onRemove(holder)}
          />
        </li>
      ))}
    </ul>
  );
}

interface CandidatesProps {
  id: number;
  chosen: readonly ShareHolder[];
  onChoose: (holder: ShareHolder) => void;
}

function Candidates({ id, chosen, onChoose }: CandidatesProps) {
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const found = useQuery({
    ...queryOf(shareCandidates, { params: { id }, query: { Search: search } }),
    ...keepPrevious,
    enabled: search !== '',
  });
  const known = new Set(chosen.map(keyOfHolder));
  const offered = search === '' ? [] : (found.data?.Items ?? []).filter((holder) => !known.has(keyOfHolder(holder)));
  return (
    <>
      <SearchField label={t('Search people and roles')} value={typed} onChange={setTyped} />
      {search !== '' && <FetchFailure query={found} text={t('Roles and people could not be loaded.')} />}
      {search !== '' && found.data && offered.length === 0 && <p role="status">{t('Nobody found')}</p>}
      <ul className="rs-plain-list rs-share-found" aria-label={t('Found')}>
        {offered.map((holder) => (
          <li key={keyOfHolder(holder)} className="rs-share-line">
            <HolderName holder={holder} />
            <Button
              size="small"
              icon={<Plus title={false} />}
              text={t('Add')}
              aria-label={t('Add {name}', { name: holder.Name })}
              onClick={() => {
                onChoose(holder);
                setTyped('');
              }}
            />
          </li>
        ))}
        {offered.length > 0 && found.data?.HasMore && (
          <li className="rs-muted">{t('There are more. Type more of the name.')}</li>
        )}
      </ul>
    </>
  );
}

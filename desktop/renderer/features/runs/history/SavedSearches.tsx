import { Button, PopoverNext } from '@blueprintjs/core';
import { Bookmark, Trash } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { deleteSearch, listSavedSearches, saveSearch, type SavedSearch } from '#shared/contract/saved-searches.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { LimitedInput } from '#renderer/ui/LimitedInput.tsx';
import { offerUndo } from '#renderer/ui/query/offer-undo.ts';
import { showError, showMessage } from '#renderer/ui/toaster.tsx';

interface SavedSearchesProps {
  /** Null for the history of all activities. */
  activityId: number | null;
  /** The current search as in the address. */
  search: string;
  /** Returns the current search from the address; the rendered value may be older. */
  presentSearch: () => string;
  onOpen: (search: string) => void;
}

/** The user's own searches of this history, which can be opened, saved and deleted. */
export function SavedSearches(props: SavedSearchesProps) {
  return (
    <PopoverNext placement="bottom-end" content={<Searches {...props} />}>
      <Button icon={<Bookmark />} text={t('Saved searches')} aria-haspopup="dialog" />
    </PopoverNext>
  );
}

function Searches({ activityId: ActivityId, search, presentSearch, onOpen }: SavedSearchesProps) {
  const key = [...keyOf(listSavedSearches), ActivityId];
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(listSavedSearches, { body: { ActivityId }, signal }),
  });
  const { data } = query;
  const [name, setName] = useState('');
  const [isBusy, setBusy] = useState(false);
  const reason = useServerReason();
  const change = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    try {
      await work();
      return true;
    } catch (failed) {
      showError(toFailure(failed).message);
      return false;
    } finally {
      await queryClient.invalidateQueries({ queryKey: key });
      setBusy(false);
    }
  };
  const save = (): void => {
    const Name = name.trim();
    if (Name === '') return;
    void change(async () => {
      await call(saveSearch, { body: { ActivityId, Name, Search: presentSearch() } });
      showMessage(t('Saved'));
    }).then((isSaved) => isSaved && setName(''));
  };
  const remove = ({ Id, Name, Search }: SavedSearch) =>
    change(async () => {
      await call(deleteSearch, { params: { id: Id } });
      const restore = () => call(saveSearch, { body: { ActivityId, Name, Search } });
      offerUndo(t('Search “{name}” deleted', { name: Name }), restore, [listSavedSearches]);
    });
  return (
    <div className="rs-saved-searches">
      <FetchFailure query={query} text={t('Your saved searches could not be loaded.')} />
      {data?.length === 0 && (
        <p className="rs-muted">{t('Search or sort the runs, and then save the search here under a name.')}</p>
      )}
      <ul aria-label={t('Saved searches')}>
        {(data ?? []).map((saved: SavedSearch) => (
          <li key={saved.Id}>
            <Button variant="minimal" alignText="start" fill text={saved.Name} onClick={() => onOpen(saved.Search)} />
            <Button
              variant="minimal"
              icon={<Trash />}
              aria-label={t('Delete the search {name}', { name: saved.Name })}
              disabled={isBusy || reason !== undefined}
              onClick={() => void remove(saved)}
            />
          </li>
        ))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <LimitedInput
          aria-label={t('Name of this search')}
          placeholder={t('Name of this search')}
          maxLength={60}
          value={name}
          onValueChange={setName}
        />
        <Button
          type="submit"
          text={t('Save')}
          loading={isBusy}
          disabled={reason !== undefined || name.trim() === '' || search === ''}
          title={reason ?? (search === '' ? t('Search or sort first') : undefined)}
        />
      </form>
    </div>
  );
}

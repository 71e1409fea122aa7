import { Button, MenuDivider, MenuItem, PopoverNext } from '@blueprintjs/core';
import { Bookmark, Edit, FloppyDisk, Plus, Tick, Trash } from '@blueprintjs/icons';
import { useMutation, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import {
  deleteOwnView,
  listOwnViews,
  renameOwnView,
  saveOwnView,
  type OwnView,
  type ViewChoice,
} from '#shared/contract/tableviews.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { KeyMenu } from '#renderer/ui/KeyMenu.tsx';
import { offerUndo } from '#renderer/ui/query/offer-undo.ts';
import { showError, showSuccess } from '#renderer/ui/toaster.tsx';
import { OwnViewName } from './OwnViewName.tsx';

interface OwnViewsProps {
  viewId: number;
  /** The choice that is displayed. */
  choice: ViewChoice;
  /** Returns the current choice from the address; the rendered one may be older. */
  presentChoice: () => ViewChoice;
  /** Id of the own view from which the choice started. */
  chosen: number | null;
  onChoose: (own: OwnView) => void;
  /** Called when the displayed choice was saved as this own view; null for none. */
  onSaved: (id: number | null) => void;
}

/** Holds the own view itself: a refetched list may no longer contain it. */
type Asking = { kind: 'new' } | { kind: 'rename'; own: OwnView } | null;

const isSame = (one: ViewChoice, other: ViewChoice): boolean =>
  JSON.stringify({ Filters: [], Sort: [], ...one }) === JSON.stringify({ Filters: [], Sort: [], ...other });

/** The user's saved variants of this view: filters, condition, order and columns under a name. */
export function OwnViews({ viewId, choice, presentChoice, chosen, onChoose, onSaved }: OwnViewsProps) {
  const [asking, setAsking] = useState<Asking>(null);
  const ownViews = useQuery(queryOf(listOwnViews, { params: { id: viewId } }));
  const items = ownViews.data?.Items ?? [];
  // Read the error here, so that this component renders again when it changes. The menu is rendered only when it is
  // opened.
  const failed = ownViews.error !== null && ownViews.data === undefined ? ownViews : null;
  const current = items.find(({ Id }) => Id === chosen) ?? null;
  const after = async (): Promise<void> => {
    setAsking(null);
    await queryClient.invalidateQueries({ queryKey: keyOf(listOwnViews) });
  };
  const update = useMutation({
    mutationFn: ({ Id, Name }: OwnView) =>
      call(saveOwnView, { params: { id: viewId }, body: { OwnViewId: Id, Name, Choice: presentChoice() } }),
    onSuccess: async () => {
      await after();
      showSuccess(t('Saved'));
    },
    onError: (error) => showError(toFailure(error).message),
  });
  const remove = useMutation({
    mutationFn: ({ Id }: OwnView) => call(deleteOwnView, { params: { id: Id } }),
    onSuccess: async (_, { Name, Choice }) => {
      const restore = () => call(saveOwnView, { params: { id: viewId }, body: { OwnViewId: null, Name, Choice } });
      offerUndo(t('Your view “{name}” was deleted', { name: Name }), restore, [listOwnViews]);
      onSaved(null);
      await after();
    },
    onError: (error) => showError(toFailure(error).message),
  });
  return (
    <>
      <PopoverNext
        placement="bottom-start"
        content={
          <OwnViewsMenu
            items={items}
            failed={failed}
            current={current}
            isChanged={current !== null && !isSame(current.Choice, choice)}
            onChoose={onChoose}
            onUpdate={(own) => update.mutate(own)}
            onDelete={(own) => remove.mutate(own)}
            onAsk={setAsking}
          />
        }
      >
        <Button
          variant="minimal"
          icon={<Bookmark />}
          aria-haspopup="menu"
          text={current ? t('My view: {name}', { name: current.Name }) : t('My views')}
        />
      </PopoverNext>
      {asking?.kind === 'new' && (
        <OwnViewName
          title={t('Save as my view')}
          initial=""
          save={(Name) =>
            call(saveOwnView, { params: { id: viewId }, body: { OwnViewId: null, Name, Choice: presentChoice() } })
          }
          onSaved={async ({ Id }) => {
            await after();
            onSaved(Id);
          }}
          onClose={() => setAsking(null)}
        />
      )}
      {asking?.kind === 'rename' && (
        <OwnViewName
          title={t('Rename my view')}
          initial={asking.own.Name}
          save={(Name) => call(renameOwnView, { params: { id: asking.own.Id }, body: { Name } })}
          onSaved={after}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}

interface OwnViewsMenuProps {
  items: readonly OwnView[];
  /** Set if the own views could not be fetched. */
  failed: UseQueryResult | null;
  current: OwnView | null;
  isChanged: boolean;
  onChoose: (own: OwnView) => void;
  onUpdate: (own: OwnView) => void;
  onDelete: (own: OwnView) => void;
  onAsk: (asking: Asking) => void;
}

function OwnViewsMenu({ items, failed, current, isChanged, onChoose, onUpdate, onDelete, onAsk }: OwnViewsMenuProps) {
  return (
    <div className="rs-own-views">
      {failed && <FetchFailure query={failed} text={t('Your views could not be loaded.')} />}
      <KeyMenu>
        {items.map((own) => (
          <MenuItem
            key={own.Id}
            text={own.Name}
            icon={own.Id === current?.Id ? <Tick /> : <Bookmark />}
            onClick={() => onChoose(own)}
          />
        ))}
        {items.length > 0 && <MenuDivider />}
        <MenuItem text={t('Save as my view…')} icon={<Plus />} onClick={() => onAsk({ kind: 'new' })} />
        {current && (
          <>
            <MenuItem
              text={t('Save changes to {name}', { name: current.Name })}
              icon={<FloppyDisk />}
              disabled={!isChanged}
              onClick={() => onUpdate(current)}
            />
            <MenuItem
              text={t('Rename {name}…', { name: current.Name })}
              icon={<Edit />}
              onClick={() => onAsk({ kind: 'rename', own: current })}
            />
            <MenuItem
              text={t('Delete {name}', { name: current.Name })}
              icon={<Trash />}
              intent="danger"
              onClick={() => onDelete(current)}
            />
          </>
        )}
      </KeyMenu>
    </div>
  );
}

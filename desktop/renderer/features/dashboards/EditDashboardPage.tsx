import { Button } from '@blueprintjs/core';
import { Add } from '@blueprintjs/icons';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import {
  DASHBOARD_NAME_MAX,
  dashboardDetails,
  previewTiles,
  TILES_MAX,
  type Dashboard,
  type Tile,
} from '#shared/contract/dashboards.ts';
import { NO_PERMISSION } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { t } from '#renderer/language/translate.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { LimitedInput } from '#renderer/ui/LimitedInput.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { EditConflict } from './EditConflict.tsx';
import { EditGrid } from './EditGrid.tsx';
import { TileDialog } from './TileDialog.tsx';
import { packed } from './tile-layout.ts';
import { useSaveDashboard } from './use-save-dashboard.ts';
import './dashboards.css';

/** /dashboards/edit/{id} */
export function EditDashboardPage() {
  const text = useParams()['id'] ?? '';
  return /^[1-9]\d{0,9}$/.test(text) ? <Fetched key={text} id={Number(text)} /> : <NotFoundPage />;
}

function Fetched({ id }: { id: number }) {
  const [theirs, setTheirs] = useState<Dashboard | null>(null);
  // Fetch once: a later response must not overwrite what the user arranged.
  const { data, error, refetch } = useQuery({
    ...queryOf(dashboardDetails, { params: { id } }),
    queryKey: [...keyOf(dashboardDetails), 'edited', id],
    staleTime: Infinity,
    gcTime: 0,
  });
  if (data?.CanEdit) return <Editor key={theirs?.Revision ?? 0} opened={theirs ?? data} onReload={setTheirs} />;
  if (data) return <ReadOnlyNotice dashboard={data} />;
  return (
    <Page title={t('Edit dashboard')}>
      {error ? <FailureState error={error} onRetry={() => void refetch()} /> : <Skeleton kind="tiles" />}
    </Page>
  );
}

function ReadOnlyNotice({ dashboard: { Id, Name, OwnerFullName } }: { dashboard: Dashboard }) {
  return (
    <Page title={t('Edit dashboard')} description={Name}>
      <EmptyState title={NO_PERMISSION} action={<LinkButton to={`/dashboards/${Id}`} text={t('View dashboard')} />}>
        {t('It is shared with you for viewing only. {owner} can give you permission to edit it.', {
          owner: OwnerFullName,
        })}
      </EmptyState>
    </Page>
  );
}

interface EditorProps {
  opened: Dashboard;
  /** Continues with the dashboard that someone else saved. */
  onReload: (newer: Dashboard) => void;
}

function Editor({ opened, onReload }: EditorProps) {
  // Keep the dashboard and revision as opened: a later revision would allow overwriting changes that the user has not
  // seen.
  const [dashboard] = useState(opened);
  const [name, setName] = useState(dashboard.Name);
  const [tiles, setTiles] = useState<readonly Tile[]>(() => packed(dashboard.Tiles));
  const [isSaved, setSaved] = useState(true);
  const [edited, setEdited] = useState<Tile | 'new' | null>(null);
  const saving = useSaveDashboard(dashboard);
  const { newer } = saving;
  const navigate = useNavigate();
  const preview = usePreview(tiles);
  const write = (next: readonly Tile[]): void => {
    setTiles(next);
    setSaved(false);
  };
  const put = (tile: Tile): void => {
    const isThere = tiles.some(({ Id }) => Id === tile.Id);
    write(isThere ? tiles.map((other) => (other.Id === tile.Id ? tile : other)) : [...tiles, tile]);
    setEdited(null);
  };
  const save = async (): Promise<void> => {
    if (!(await saving.save({ Name: name, Tiles: packed([...tiles]) }))) return;
    setSaved(true);
    // Navigate after the leave warning has rendered the saved state.
    setTimeout(() => void navigate(`/dashboards/${dashboard.Id}`, { replace: true }));
  };
  return (
    <Page
      title={t('Edit dashboard')}
      description={dashboard.Name}
      actions={
        <>
          <Button text={t('Back')} onClick={() => void navigate(`/dashboards/${dashboard.Id}`)} />
          <Button
            intent="primary"
            text={t('Save')}
            loading={saving.isSaving}
            disabled={name.trim() === '' || newer !== null}
            onClick={() => void save()}
          />
        </>
      }
    >
      <LeaveWarning isUnsaved={!isSaved} />
      {newer && (
        <EditConflict
          newer={newer}
          isSaving={saving.isSaving}
          onSaveOver={() => void save()}
          onReload={() => onReload(newer)}
        />
      )}
      <div className="rs-dashboard-add">
        <LimitedInput
          aria-label={t('Name of the dashboard')}
          value={name}
          maxLength={DASHBOARD_NAME_MAX}
          onValueChange={(value) => {
            setName(value);
            setSaved(false);
          }}
        />
        <Button
          icon={<Add />}
          text={t('Add tile')}
          disabled={tiles.length >= TILES_MAX}
          onClick={() => setEdited('new')}
        />
        <span className="rs-muted rs-dashboard-hint">
          {t(
            'Drag a tile by its title to move it, or by its lower right corner to resize it. You can also use the arrow keys on its Move button; Shift+arrow keys resize it.',
          )}
        </span>
      </div>
      {tiles.length === 0 && <EmptyState title={t('No tiles yet')}>{t('Add the first tile.')}</EmptyState>}
      <FetchFailure query={preview} text={t('The preview of the tiles could not be loaded.')} />
      <EditGrid tiles={tiles} data={preview.data} onChange={write} onEdit={setEdited} />
      {edited !== null && (
        <TileDialog
          tile={edited === 'new' ? null : edited}
          tiles={tiles}
          onDone={put}
          onClose={() => setEdited(null)}
        />
      )}
    </Page>
  );
}

/** Fetches what the tiles will show. Positions are normalized, because they do not affect the data. */
function usePreview(tiles: readonly Tile[]) {
  const asked = useMemo(
    () => JSON.stringify(tiles.map((tile) => ({ ...tile, X: 0, Y: 0, W: 4, H: 4, Title: '' }))),
    [tiles],
  );
  return useQuery({
    queryKey: [...keyOf(previewTiles), asked],
    queryFn: ({ signal }) => call(previewTiles, { body: { Tiles: JSON.parse(asked) as Tile[] }, signal }),
    placeholderData: keepPreviousData,
  });
}

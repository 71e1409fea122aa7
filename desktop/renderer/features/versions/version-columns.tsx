import { Button } from '@blueprintjs/core';
import { Download, Error as ErrorIcon, Help, TickCircle, WarningSign } from '@blueprintjs/icons';
import { downloadVersion, type VersionItem } from '#shared/contract/versions.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { downloadByToken } from '#renderer/api/download.ts';
import { fileSizeText } from '#renderer/language/numbers.ts';
import { changeText } from '#renderer/features/versions/change-description.ts';
import { t } from '#renderer/language/translate.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { showError } from '#renderer/ui/toaster.tsx';
import { engineShort, fidelityIntent, fidelityShort } from './fidelity-text.ts';

/** Downloads the workbook of a version; shows a message on failure. */
export async function downloadVersionFile(id: number, version: number): Promise<void> {
  try {
    downloadByToken(await call(downloadVersion, { params: { id, version } }));
  } catch (error) {
    const failure = toFailure(error);
    showError(failure.status === 404 ? t('This activity version file does not exist') : failure.message);
  }
}

const ICONS = { none: Help, success: TickCircle, warning: WarningSign, danger: ErrorIcon } as const;

/** A short summary of a report, with its severity. */
export function Fidelity({ fidelity }: { fidelity: VersionItem['Fidelity'] }) {
  const intent = fidelity ? fidelityIntent(fidelity) : 'none';
  const Icon = ICONS[intent];
  return (
    <span className={`rs-status rs-status-${intent}`}>
      <Icon size={14} title={false} />
      <span className="rs-cut">{fidelityShort(fidelity)}</span>
    </span>
  );
}

/** Versions of stored procedures have no file. */
const hasFile = ({ ContentLength }: VersionItem): boolean => ContentLength > 0;

const fidelityPath = ({ Id, Version, Fidelity: report }: VersionItem): string | null =>
  report ? `/activities/versions/${Id}/${Version}/fidelity` : null;

/** Returns the columns that both versions grids share; `open` navigates to the report of a version. */
export function versionColumns(open: (path: string) => void): GridColumn<VersionItem>[] {
  return [
    { key: 'Version', title: t('Version'), text: (row) => String(row.Version), align: 'right' },
    { key: 'Modified', title: t('Modified'), text: (row) => formatDayTime(row.Modified), width: 150, givesWayTo: 140 },
    { key: 'UserFullName', title: t('Modified By'), text: (row) => row.UserFullName, givesWayTo: 110 },
    {
      key: 'ChangeDescription',
      title: t('Change Description'),
      text: (row) => changeText(row.ChangeDescription),
      givesWayTo: 145,
    },
    {
      key: 'ContentLength',
      title: t('File Size'),
      text: (row) => (hasFile(row) ? fileSizeText(row.ContentLength) : ''),
      align: 'right',
    },
    {
      key: 'Download',
      title: t('Download'),
      text: () => '',
      isActions: true,
      render: (row) =>
        hasFile(row) && (
          <Button
            variant="minimal"
            size="small"
            icon={<Download />}
            aria-label={t('Download version {version} of {name}', { version: row.Version, name: row.Name })}
            onClick={() => void downloadVersionFile(row.Id, row.Version)}
          />
        ),
    },
    {
      key: 'Fidelity',
      title: t('Fidelity'),
      hasIcon: true,
      givesWayTo: 150,
      text: (row) => (hasFile(row) ? fidelityShort(row.Fidelity) : ''),
      render: (row) => hasFile(row) && <Fidelity fidelity={row.Fidelity} />,
      onClick: (row) => {
        const path = fidelityPath(row);
        if (path !== null) open(path);
      },
      to: fidelityPath,
    },
    {
      key: 'Engine',
      title: t('Calculated with'),
      text: (row) => engineShort(row.Fidelity),
      width: 140,
      givesWayTo: 128,
    },
  ];
}

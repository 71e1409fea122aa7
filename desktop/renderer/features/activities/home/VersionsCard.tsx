import { Button } from '@blueprintjs/core';
import { Download } from '@blueprintjs/icons';
import { Link } from 'react-router-dom';
import type { ActivityHome } from '#shared/contract/activity-home.ts';
import type { VersionItem } from '#shared/contract/versions.ts';
import { downloadVersionFile, Fidelity } from '#renderer/features/versions/version-columns.tsx';
import { changeText } from '#renderer/features/versions/change-description.ts';
import { regionText } from '#renderer/features/versions/region-text.ts';
import { rich, t } from '#renderer/language/translate.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { DateText, FileSize } from '#renderer/ui/texts.tsx';

/** The newest versions: when, by whom and why they were made, and how accurately each is calculated. */
export function VersionsCard({ home }: { home: ActivityHome }) {
  const { Id, Type, Versions, CanEdit, WorkbookRegion: region } = home;
  const [newest] = Versions;
  const hasFile = newest !== undefined && newest.ContentLength > 0;
  return (
    <Card title={t('Versions')}>
      {CanEdit && newest && hasFile && (
        <p className="rs-home-file">
          <Button
            icon={<Download />}
            text={t('Download workbook')}
            onClick={() => void downloadVersionFile(Id, newest.Version)}
          />
          <span className="rs-muted">
            {rich('Version {version}, {fileSize}', {
              version: newest.Version,
              fileSize: <FileSize bytes={newest.ContentLength} />,
            })}
          </span>
        </p>
      )}
      {region && <p className="rs-muted">{regionText(region)}</p>}
      <ul className="rs-home-versions">
        {Versions.map((version) => (
          <Version key={version.Version} version={version} />
        ))}
      </ul>
      {Type === 'Workbook' && <LinkButton to={`/activities/versions/${Id}`} text={t('View All Versions')} />}
    </Card>
  );
}

function Version({ version }: { version: VersionItem }) {
  const { Id, Version: number, Modified, UserFullName, ChangeDescription, Fidelity: report, ContentLength } = version;
  return (
    <li>
      <span>
        <strong>{t('Version {number}', { number })}</strong>{' '}
        <span className="rs-muted">
          {rich('{modified} by {userFullName}', {
            modified: <DateText value={Modified} as="relative" />,
            userFullName: UserFullName,
          })}
        </span>
      </span>
      {ContentLength > 0 &&
        (report ? (
          <Link to={`/activities/versions/${Id}/${number}/fidelity`}>
            <Fidelity fidelity={report} />
          </Link>
        ) : (
          <Fidelity fidelity={null} />
        ))}
      {ChangeDescription !== '' && <span className="rs-home-wrap">{changeText(ChangeDescription)}</span>}
    </li>
  );
}

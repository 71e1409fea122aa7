import { Button, Callout } from '@blueprintjs/core';
import { Download } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { excelAddIn, excelManifest } from '#shared/contract/add-in.ts';
import { pathOf } from '#shared/client/request.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { rich, said, t } from '#renderer/language/translate.ts';
import { Card, Page } from '#renderer/ui/Page.tsx';

/** /excelAddIn: what the Excel add-in does and how to install it. */
export function ExcelAddInPage() {
  const query = useQuery(queryOf(excelAddIn));
  return (
    <Page
      title={t('Excel add-in')}
      description={t(
        'Publish the open workbook, run activities and insert their results in a sheet, without leaving Excel.',
      )}
      narrow
    >
      <QueryStates query={query}>
        {({ ManifestAddress, Problem }) =>
          ManifestAddress === null ? (
            <Callout intent="warning">{said(Problem)}</Callout>
          ) : (
            <Installing address={ManifestAddress} />
          )
        }
      </QueryStates>
    </Page>
  );
}

function Installing({ address }: { address: string }) {
  return (
    <>
      <Card title={t('For yourself')}>
        <p>{t('Download the manifest: a small file that tells Excel where to find this portal.')}</p>
        <ul className="bp6-list" style={{ overflowWrap: 'anywhere' }}>
          <li>
            {t(
              'In Excel on the web: Select Home > Add-ins > More add-ins > My add-ins > Manage my add-ins > Upload my add-in, and choose the file.',
            )}
          </li>
          <li>
            {t(
              'In Excel for Windows: Put the file in a shared folder. Add that folder under File > Options > Trust Center > Trust Center Settings > Trusted Add-in Catalogs. Then select Home > Add-ins > More add-ins > Shared folder.',
            )}
          </li>
          <li>
            {t('In Excel for Mac: Put the file in the folder {folder}, and restart Excel.', {
              folder: '~/Library/Containers/com.microsoft.Excel/Data/Documents/wef',
            })}
          </li>
        </ul>
        <Button
          intent="primary"
          icon={<Download />}
          text={t('Download the manifest')}
          onClick={() => bridge.download(pathOf(excelManifest))}
        />
      </Card>
      <Card title={t('For everyone')}>
        <p>
          {t(
            'A Microsoft 365 administrator adds it once, for all users or for some: in the Microsoft 365 admin center under Settings, Integrated apps, Upload custom apps, Office Add-in, with the file or with this address.',
          )}
        </p>
        <p>
          <code className="rs-mono" style={{ overflowWrap: 'anywhere' }}>
            {address}
          </code>
        </p>
        <p>{rich('The button then appears on the <b>Home</b> tab of Excel.', { b: <strong /> })}</p>
      </Card>
    </>
  );
}

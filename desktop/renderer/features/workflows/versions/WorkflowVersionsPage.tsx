import { Code, Comparison, Download } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { checklistDetails } from '#shared/contract/checklists.ts';
import {
  exportWorkflow,
  workflowVersions,
  type WorkflowFormat,
  type WorkflowVersionItem,
} from '#shared/contract/workflows.ts';
import { call } from '#renderer/api/client.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { checklistMenu, workflowVersionsPath } from '#renderer/features/checklists/checklist-menu.tsx';
import { startDownload } from '#renderer/ui/downloads.ts';
import { changeText } from '#renderer/features/versions/change-description.ts';
import { t } from '#renderer/language/translate.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { MoreMenu } from '#renderer/ui/TitleMenu.tsx';

/** /workflows/versions/{id} */
export function WorkflowVersionsPage() {
  const id = Number(useParams()['id']);
  return Number.isSafeInteger(id) && id > 0 ? <VersionsPage key={id} id={id} /> : <NotFoundPage />;
}

function VersionsPage({ id }: { id: number }) {
  const query = useQuery(queryOf(workflowVersions, { params: { id } }));
  const details = useQuery(queryOf(checklistDetails, { params: { id } }));
  const checklist = details.data;
  const navigate = useNavigate();
  const newest = query.data?.Versions[0]?.Version ?? 0;
  const columns = useMemo(() => versionColumns(id, newest, (path) => void navigate(path)), [id, newest, navigate]);
  const menu = checklist && checklistMenu({ ...checklist, IsWorkflow: true }, 'Run Now', ['versions']);
  return (
    <Page
      title={query.data ? t('{name} Version History', { name: query.data.Name }) : t('Version History')}
      menu={menu}
    >
      <FetchFailure query={details} text={t('The menu of the workflow could not be loaded.')} />
      <Card>
        <QueryStates query={query}>
          {({ Name, Versions }) => (
            <DataGrid
              label={t('Versions of {name}', { name: Name })}
              rows={Versions}
              columns={columns}
              empty={t('No results to display')}
              maxRows={20}
              onRowClick={({ Version }) => void navigate(`${workflowVersionsPath(id)}${Version}/`)}
            />
          )}
        </QueryStates>
      </Card>
    </Page>
  );
}

function versionColumns(id: number, newest: number, open: (path: string) => void): GridColumn<WorkflowVersionItem>[] {
  const path = workflowVersionsPath(id);
  return [
    {
      key: 'Version',
      title: t('Version'),
      text: (row) => String(row.Version),
      align: 'right',
      to: (row) => `${path}${row.Version}/`,
    },
    { key: 'Modified', title: t('Modified'), text: (row) => formatDayTime(row.Modified), width: 150 },
    { key: 'UserFullName', title: t('Modified By'), text: (row) => row.UserFullName },
    {
      key: 'ChangeDescription',
      title: t('Change Description'),
      text: (row) => changeText(row.ChangeDescription),
      givesWayTo: 150,
    },
    { key: 'Steps', title: t('Steps'), text: (row) => String(row.Steps), align: 'right' },
    {
      key: 'more',
      title: '',
      text: () => '',
      isActions: true,
      width: 50,
      render: ({ Version }) => (
        <MoreMenu
          label={t('Menu of version {version}', { version: Version })}
          entries={() => [
            ...(Version < newest
              ? [
                  {
                    text: t('Changes since then'),
                    icon: <Comparison />,
                    onSelect: () => open(`${path}changes/${Version}/${newest}/`),
                  },
                ]
              : []),
            ...(Version > 1
              ? [
                  {
                    text: t('Changes from previous version'),
                    icon: <Comparison />,
                    onSelect: () => open(`${path}changes/${Version - 1}/${Version}/`),
                  },
                ]
              : []),
            { text: t('Export'), icon: <Download />, onSelect: () => exportVersion(id, Version) },
            { text: t('Export as YAML'), icon: <Code />, onSelect: () => exportVersion(id, Version, 'yaml') },
          ]}
        />
      ),
    },
  ];
}

/** Downloads the version as a file that can be imported elsewhere. */
export const exportVersion = (id: number, version: number, Format?: WorkflowFormat): void =>
  void startDownload(call(exportWorkflow, { params: { id, version }, query: { Format } }));

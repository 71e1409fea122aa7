import { Button, Callout, ProgressBar } from '@blueprintjs/core';
import { Duplicate } from '@blueprintjs/icons';
import { bridge } from '#renderer/api/bridge.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { said, t } from '#renderer/language/translate.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import { toClipboardText, type GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { showMessage } from '#renderer/ui/toaster.tsx';
import { isWhole, type ImportRow } from './import-rows.ts';
import type { ImportWork } from './use-import.ts';

interface OutcomePartProps {
  work: ImportWork;
  onCopied: () => void;
  onRestart: () => void;
}

/** What became of each user, and the links to pass on. */
export function OutcomePart({ work, onCopied, onRestart }: OutcomePartProps) {
  const { rows, isRunning, failure, stop } = work;
  const done = rows.filter(({ outcome }) => outcome !== null).length;
  const links = rows.filter((row) => linkOf(row) !== '');
  const copy = async (): Promise<void> => {
    const cells = links.map((row) => [row.user.UserName, row.user.Email, linkOf(row)]);
    if (!(await bridge.copyText(toClipboardText(cells)))) return;
    showMessage(t('Copied'));
    onCopied();
  };
  return (
    <Card title={t('Result')}>
      {isRunning && <ProgressBar value={done / rows.length} aria-label={t('Progress')} />}
      <p role="status" className="rs-import-note">
        {isRunning
          ? t('{done} of {total} done', { done: numberText(done), total: numberText(rows.length) })
          : summaryText(rows)}
      </p>
      {failure !== null && (
        <Callout intent="danger" className="rs-import-note" role="alert">
          {t('The import stopped: {reason} The table shows who was added. Preview the list again to add the others.', {
            reason: said(failure),
          })}
        </Callout>
      )}
      {links.length > 0 && (
        <Callout className="rs-import-note">
          <p>
            {t(
              'Pass these links on. Each works once, within a day, and lets its user set a password. They are shown only once.',
            )}
          </p>
          <Button icon={<Duplicate />} text={t('Copy all links')} disabled={isRunning} onClick={() => void copy()} />
        </Callout>
      )}
      <DataGrid
        label={t('Result')}
        rows={rows}
        columns={links.length > 0 ? COLUMNS_WITH_LINKS : COLUMNS}
        empty={t('No users to display')}
        maxRows={16}
      />
      <div className="rs-form-actions">
        {isRunning ? (
          <Button text={t('Stop')} onClick={stop} />
        ) : (
          <>
            <LinkButton to="/users/" intent="primary" text={t('Users')} />
            <Button text={isWhole(rows) ? t('Add more users') : t('Back to the list')} onClick={onRestart} />
          </>
        )}
      </div>
    </Card>
  );
}

const linkOf = ({ outcome }: ImportRow): string =>
  typeof outcome?.SetPasswordPath === 'string' ? bridge.sharedAddress(outcome.SetPasswordPath) : '';

function summaryText(rows: readonly ImportRow[]): string {
  const count = (is: (row: ImportRow) => boolean): number => rows.filter(is).length;
  return t('{created} created, {mailed} invited by email, {changed} added to roles, {problems} with problems', {
    created: count(({ outcome }) => outcome?.IsCreated === true),
    mailed: count(({ outcome }) => outcome?.IsMailed === true),
    changed: count(({ outcome }) => outcome?.IsCreated === false && outcome.Roles.length > 0),
    problems: count(({ outcome }) => outcome === null || outcome.Problems.length > 0),
  });
}

function resultText({ user, outcome, isUncertain }: ImportRow): string {
  if (isUncertain) return t('Unknown: the server did not answer');
  if (outcome === null) return t('Not added');
  if (outcome.IsMailed) return t('Created and invited by email');
  if (outcome.SetPasswordPath !== null) return t('Created; pass the link on');
  if (outcome.IsCreated) return t('Created');
  if (user.UserId !== null) return outcome.Roles.length > 0 ? t('Added to roles') : t('Not added to roles');
  return t('Not created');
}

const COLUMNS: GridColumn<ImportRow>[] = [
  { key: 'UserName', title: t('User Name'), text: ({ user }) => user.UserName, givesWayTo: 140 },
  { key: 'Email', title: t('Email'), text: ({ user }) => user.Email, givesWayTo: 140 },
  { key: 'Result', title: t('Result'), text: resultText, givesWayTo: 180 },
  { key: 'Roles', title: t('Roles'), text: ({ outcome }) => outcome?.Roles.join(', ') ?? '', givesWayTo: 90 },
  {
    key: 'Problems',
    title: t('Problems'),
    text: ({ outcome }) => outcome?.Problems.map((problem) => said(problem)).join('. ') ?? '',
    givesWayTo: 180,
  },
];

const COLUMNS_WITH_LINKS: GridColumn<ImportRow>[] = [
  ...COLUMNS.slice(0, 3),
  { key: 'Link', title: t('Link'), text: linkOf, givesWayTo: 180 },
  ...COLUMNS.slice(3),
];

import { Button, HTMLTable } from '@blueprintjs/core';
import { Edit, Repeat, Trash } from '@blueprintjs/icons';
import {
  deleteTestCase,
  replayTestBed,
  saveTestCase,
  testBed,
  testCase,
  type TestBed,
  type TestCaseItem,
} from '#shared/contract/test-beds.ts';
import { call } from '#renderer/api/client.ts';
import { t } from '#renderer/language/translate.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { EmptyState } from '#renderer/ui/states.tsx';
import { offerUndo } from '#renderer/ui/query/offer-undo.ts';
import { showMessage } from '#renderer/ui/toaster.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { CaseButtons } from './CaseButtons.tsx';
import { Findings, hasFindings, OutcomeTag } from './ResultView.tsx';
import { useAct } from './use-act.ts';

interface CaseListProps {
  id: number;
  bed: TestBed;
  onChange: () => Promise<unknown>;
}

export function CaseList({ id, bed, onChange }: CaseListProps) {
  const { busy, act } = useAct(onChange);
  const replay = async (CaseId: number | null): Promise<void> => {
    const { Cases } = await call(replayTestBed, { body: { ActivityId: id, CaseId } });
    const passed = Cases.filter(({ Result }) => Result.Outcome === 'Passed').length;
    showMessage(t('{passed} of {casesCount} passed', { passed, casesCount: Cases.length }));
  };
  const remove = ({ Id, Name }: TestCaseItem) =>
    act('delete', async () => {
      const content = await call(testCase, { params: { id: Id } });
      await call(deleteTestCase, { params: { id: Id } });
      const restore = () => call(saveTestCase, { body: { ActivityId: id, Id: null, ...content } });
      offerUndo(t('Test case “{name}” deleted', { name: Name }), restore, [testBed]);
    });
  return (
    <>
      {bed.CanEdit && bed.Obstacle === null && <CaseButtons id={id} bed={bed} busy={busy} act={act} replay={replay} />}
      {bed.Cases.length === 0 ? (
        <EmptyState title={t('No test cases yet')}>
          {t('Add a test case here, save a run as a test case on its page, or import a table.')}
        </EmptyState>
      ) : (
        <HTMLTable className="rs-testbed-cases rs-stacked" aria-label={t('Cases')}>
          <thead>
            <tr>
              <th scope="col">{t('Case')}</th>
              <th scope="col">{t('Result')}</th>
              <th scope="col">{t('Replayed')}</th>
              {bed.CanEdit && <th scope="col">{t('Actions')}</th>}
            </tr>
          </thead>
          <tbody>
            {bed.Cases.map((one) => (
              <CaseLine
                key={one.Id}
                id={id}
                one={one}
                canEdit={bed.CanEdit}
                isReplaying={busy === `replay ${one.Id}`}
                onReplay={() => void act(`replay ${one.Id}`, () => replay(one.Id))}
                onDelete={() => void remove(one)}
              />
            ))}
          </tbody>
        </HTMLTable>
      )}
    </>
  );
}

interface CaseLineProps {
  id: number;
  one: TestCaseItem;
  canEdit: boolean;
  isReplaying: boolean;
  onReplay: () => void;
  onDelete: () => void;
}

function CaseLine({ id, one, canEdit, isReplaying, onReplay, onDelete }: CaseLineProps) {
  const { Id, Name, Result } = one;
  return (
    <>
      <tr>
        <td className="rs-testbed-name">
          {Name}
          <br />
          <span className="rs-muted">
            {t('{count, plural, one {# input} other {# inputs}}', { count: one.InputCount })},{' '}
            {t('{count, plural, one {# output} other {# outputs}}', { count: one.ExpectedCount })}
          </span>
        </td>
        <td>
          <OutcomeTag result={Result} />
        </td>
        <td>
          <Replayed one={one} />
        </td>
        {canEdit && (
          <td>
            <div className="rs-testbed-actions">
              <Button
                size="small"
                icon={<Repeat />}
                aria-label={t('Replay {name}', { name: Name })}
                title={t('Replay')}
                loading={isReplaying}
                onClick={onReplay}
              />
              <LinkButton
                size="small"
                icon={<Edit />}
                aria-label={t('Edit {name}', { name: Name })}
                title={t('Edit')}
                to={`/activities/testbed/${id}/case/${Id}`}
              />
              <Button
                size="small"
                icon={<Trash />}
                aria-label={t('Delete {name}', { name: Name })}
                title={t('Delete')}
                onClick={onDelete}
              />
            </div>
          </td>
        )}
      </tr>
      {hasFindings(Result) && (
        <tr className="rs-testbed-of-case">
          <td colSpan={canEdit ? 4 : 3}>
            <Findings name={Name} result={Result} />
          </td>
        </tr>
      )}
    </>
  );
}

function Replayed({ one: { Result, ResultTime } }: { one: TestCaseItem }) {
  if (!Result || ResultTime === null) return null;
  return (
    <>
      <DateText value={ResultTime} as="relative" />
      <br />
      <span className="rs-muted">
        {Result.Version !== null && t('Version {version}, ', { version: Result.Version })}
        {t('engine {engine}, portal {program}', { engine: Result.Engine, program: Result.Program })}
      </span>
    </>
  );
}

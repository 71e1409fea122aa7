import { Callout } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { Link, useParams } from 'react-router-dom';
import { approvalDetails, approvalState, downloadApprovalFile, type Approval } from '#shared/contract/approvals.ts';
import { call } from '#renderer/api/client.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { ValuesView, type ShownValue } from '#renderer/ui/values/ValuesView.tsx';
import { rich, t } from '#renderer/language/translate.ts';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { ApprovalOutcomeTag } from './ApprovalOutcomeTag.tsx';
import { DecideForm } from './DecideForm.tsx';
import { DecisionList } from './DecisionList.tsx';
import '#renderer/features/runs/status/run-status.css';
import './approvals.css';

/** Other people may decide in the meantime. */
const INTERVAL = 10_000;

/** /approvals/{id} */
export function ApprovalPage() {
  const id = Number(useParams()['id']);
  if (!Number.isSafeInteger(id) || id <= 0) return <NotFoundPage />;
  return <LoadedApproval key={id} id={id} />;
}

function LoadedApproval({ id }: { id: number }) {
  const query = useQuery(queryOf(approvalDetails, { params: { id } }));
  const { data, refetch } = query;
  const hasChanged = useHasChanged(data);
  useEffect(() => {
    if (hasChanged) void refetch();
  }, [hasChanged, refetch]);
  if (!data) {
    return (
      <Page title={t('Approval')}>
        {query.error ? (
          <FailureState error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Skeleton kind="form" />
        )}
      </Page>
    );
  }
  return (
    <Page title={data.Name} number={t('Approval {id}', { id: data.Id })} description={<About approval={data} />}>
      <State approval={data} />
      <Asked approval={data} />
      {data.MayDecide && <DecideForm id={data.Id} />}
    </Page>
  );
}

/**
 * Returns true if the approval has changed since it was loaded. It polls only the state, because the values may be
 * large tables.
 */
function useHasChanged(shown: Approval | undefined): boolean {
  const { data: state } = useQuery({
    ...queryOf(approvalState, { params: { id: shown?.Id ?? 0 }, polls: true }),
    enabled: shown?.Outcome === 'Open',
    refetchInterval: INTERVAL,
    // The known state is as old as the data that is shown.
    initialData: shown && { Outcome: shown.Outcome, Given: shown.Given, MayDecide: shown.MayDecide },
    staleTime: INTERVAL,
  });
  if (!shown || !state) return false;
  return state.Outcome !== shown.Outcome || state.Given !== shown.Given || state.MayDecide !== shown.MayDecide;
}

function About({ approval }: { approval: Approval }) {
  const { ChecklistName, ChecklistRunId, StarterFullName, StartTime, CanViewRun, IsWorkflow } = approval;
  const path = `/${IsWorkflow ? 'workflows' : 'checklists'}/runstatus/${ChecklistRunId}/`;
  return (
    <span className="rs-run-line">
      {CanViewRun ? <Link to={path}>{ChecklistName}</Link> : <span>{ChecklistName}</span>}
      <span>
        {rich('started by {starterFullName}; approval requested {startTime}', {
          starterFullName: StarterFullName,
          startTime: <DateText value={StartTime} />,
        })}
      </span>
    </span>
  );
}

function State({ approval }: { approval: Approval }) {
  const { Outcome, Needed, Given, ExpiryTime, OnExpiry, WaitsFor, Decisions, EndTime } = approval;
  return (
    <Card>
      <div role="status" className="rs-run-status">
        <ApprovalOutcomeTag outcome={Outcome} />
        {EndTime !== null && (
          <span className="rs-muted">
            <DateText value={EndTime} />
          </span>
        )}
        {Outcome === 'Open' && Needed > 1 && (
          <span className="rs-muted">{t('{given} of {needed} have approved', { given: Given, needed: Needed })}</span>
        )}
      </div>
      {Outcome === 'Open' && (
        <p className="rs-approval-line">{t('Who may decide: {waitsFor}', { waitsFor: WaitsFor.join(', ') })}</p>
      )}
      {Outcome === 'Open' && ExpiryTime !== null && (
        <p className="rs-approval-line">
          {OnExpiry === 'Approve'
            ? rich('Expires {time}, and then counts as approved', { time: <DateText value={ExpiryTime} /> })
            : rich('Expires {time}, and then fails', { time: <DateText value={ExpiryTime} /> })}
        </p>
      )}
      <DecisionList decisions={Decisions} />
    </Card>
  );
}

function Asked({ approval }: { approval: Approval }) {
  const values = useMemo(() => shownValues(approval), [approval]);
  return (
    <Card title={t('What is to be approved')}>
      <p className="rs-approval-text">{approval.Text}</p>
      {approval.Values === null ? (
        <Callout compact>
          {t('Only people who can decide or have already decided can see its values and files.')}
        </Callout>
      ) : (
        <ValuesView values={values} tone="output" />
      )}
    </Card>
  );
}

const shownValues = ({ Id, Values }: Approval): ShownValue[] =>
  (Values ?? []).map(({ Name, Info, Value, Files }, value) => ({
    id: value,
    name: Name,
    description: '',
    info: Info,
    json: Value,
    note: '',
    files: Files.map(({ FileName, ContentLength }, file) => ({
      name: FileName,
      size: ContentLength,
      token: () => call(downloadApprovalFile, { params: { id: Id, value, file } }),
    })),
    tableToken: null,
  }));

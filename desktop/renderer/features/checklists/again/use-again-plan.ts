import { useQuery } from '@tanstack/react-query';
import type { BodyOf } from '#shared/contract/endpoint.ts';
import { planChecklistResume, type ResumePlan } from '#shared/contract/checklist-resumes.ts';
import { call } from '#renderer/api/client.ts';
import { keepPrevious, keyOf } from '#renderer/api/queries.ts';
import { said, t } from '#renderer/language/translate.ts';

export type AgainChoice = BodyOf<typeof planChecklistResume>;

export interface AgainPlanQuery {
  /** The last plan, even while another one is fetched. */
  plan: ResumePlan | undefined;
  error: Error | null;
  /** True if the plan is not the one of the current choice. */
  isOld: boolean;
  refetch: () => void;
}

/** Returns the step and row to run again as calls name them. Everything after the step runs again too. */
export const fromOf = (stepKey: string | undefined, rowKey: string | null): AgainChoice['From'] =>
  stepKey === undefined ? null : { Steps: [stepKey], Following: 'All', ...(rowKey === null ? {} : { RowKey: rowKey }) };

/** Fetches what would run again. */
export function useAgainPlan(runId: number, choice: AgainChoice): AgainPlanQuery {
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery({
    queryKey: [...keyOf(planChecklistResume), runId, choice],
    queryFn: ({ signal }) => call(planChecklistResume, { params: { runId }, body: choice, signal }),
    ...keepPrevious,
    // What is confirmed must be what the server says now.
    gcTime: 0,
  });
  return { plan: data, error, isOld: isPlaceholderData || isFetching, refetch: () => void refetch() };
}

/** Returns why the run cannot be started yet; undefined if it can. */
export function notYetText({ plan, error, isOld }: AgainPlanQuery, confirmed: ReadonlySet<string>): string | undefined {
  if (error) return said(error.message);
  if (isOld || !plan) return t('Checking what runs again');
  if (plan.Problem !== null) return said(plan.Problem);
  if (plan.Steps.every(({ Will }) => Will !== 'Run')) return t('No step would run again');
  const isConfirmed = plan.Steps.every(({ MustConfirm, StepKey }) => !MustConfirm || confirmed.has(StepKey));
  return isConfirmed ? undefined : t('Confirm first what these steps change outside the portal');
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { checkWorkflow, type WorkflowProblem, type WorkflowGraphData } from '#shared/contract/workflows.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import type { EditedWorkflow } from './use-workflow-draft.ts';

/** Debounce in milliseconds before the server checks the graph. */
const CHECK_DELAY = 300;

export interface WorkflowProblems {
  problems: readonly WorkflowProblem[];
  /** True if the problems belong to an earlier state of the graph. */
  isChecking: boolean;
  /** Why the graph could not be checked; null if it was. */
  failure: string | null;
}

/** Returns the problems that prevent saving the graph, as checked by the server during editing. */
export function useWorkflowProblems({ Id, Graph, Faults }: EditedWorkflow, graph: WorkflowGraphData): WorkflowProblems {
  const [asked, setAsked] = useState(graph);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(graph), CHECK_DELAY);
    return () => clearTimeout(timer);
  }, [graph]);
  const isNew = asked !== Graph;
  const { data, error, isFetching } = useQuery({
    queryKey: [checkWorkflow.path, Id, asked],
    queryFn: ({ signal }) => call(checkWorkflow, { body: { Id, Graph: asked }, signal }),
    enabled: isNew,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
    retry: 1,
  });
  return {
    problems: isNew ? (data?.Faults ?? Faults) : Faults,
    isChecking: isFetching || asked !== graph,
    failure: isNew && error ? toFailure(error).message : null,
  };
}

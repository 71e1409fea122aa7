/** Checklists edited as workflows: created, read and saved in the same way as by their editors. */
import { expect } from 'vitest';
import type { ChecklistPortal } from './checklist-portal.ts';

export type EditedGraph = { Inputs: { Name: string }[]; Steps: Record<string, unknown>[] };

export function workflowEditing(portal: ChecklistPortal) {
  const { saved, get, post } = portal;
  /** Creates a workflow of Collect and Report and returns its Id. */
  const edited = async (): Promise<number> => {
    const ChecklistId = await saved();
    const { status, body } = await post('workflows/create', { ChecklistId });
    expect([status, body]).toEqual([200, { result: { Id: ChecklistId, Version: 1 } }]);
    return ChecklistId;
  };
  const workflow = async (id: number) => (await get(`workflows/details/${id}`)).body.result;
  const graphOf = async (id: number): Promise<EditedGraph> => (await workflow(id)).Graph;
  /** Saves the graph as the successor of version 1. */
  const save = async (Id: number, Graph: EditedGraph, more: object = {}) =>
    post('workflows/update', { Id, Version: 1, Graph, ...more });
  return { edited, workflow, graphOf, save };
}

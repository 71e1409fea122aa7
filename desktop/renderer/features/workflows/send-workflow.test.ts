/** Workflows are saved on a real server; the network loses responses. */
import { expect } from 'vitest';
import type { WorkflowGraphData } from '#shared/contract/workflows.ts';
import { AppFailure } from '#renderer/api/app-failure.ts';
import { test as base } from '#test/support/fixtures/workflow-portal.ts';
import { createWorkflowSender } from './send-workflow.ts';

const test = base.extend('opened', async ({ portal: { post, get }, workflows: { edited, workflow } }) => {
  const Id = await edited();
  const versionsOf = async (): Promise<string[]> => {
    const { Versions } = (await get(`workflows/versions/${Id}`)).body.result;
    return Versions.map(({ ChangeDescription }: { ChangeDescription: string }) => ChangeDescription).reverse();
  };
  /** Opens the workflow as another person does. */
  function openWindow() {
    const window = { losesResponses: false };
    const send = createWorkflowSender({
      save: async (Version, described) => {
        const { status, body } = await post('workflows/update', { Id, Version, ...described });
        if (status !== 200) throw new AppFailure(body.message, { status });
        if (window.losesResponses) throw new AppFailure('The server cannot be reached. Please try again.');
        return body.result;
      },
      read: () => workflow(Id),
    });
    return Object.assign(window, { send });
  }
  const { Graph } = await workflow(Id);
  const renamed = (Name: string): WorkflowGraphData => ({
    ...Graph,
    // Not in the order of the contract, in which the server returns them.
    Steps: Graph.Steps.map((step: object) => Object.fromEntries(Object.entries({ ...step, Name }).reverse())),
  });
  return { versionsOf, openWindow, renamed };
});

test('a workflow whose response was lost gets no second version', async ({
  opened: { openWindow, versionsOf, renamed },
}) => {
  const window = openWindow();
  const described = { Graph: renamed('Collect all'), ChangeDescription: ' Clearer ' };
  window.losesResponses = true;
  await expect(window.send(1, described)).rejects.toMatchObject({ status: 0 });
  window.losesResponses = false;
  expect(await window.send(1, described)).toEqual({ Version: 2 });
  expect(await versionsOf()).toEqual(['Created from the checklist', 'Clearer']);
});

test('newer changes follow the version whose response was lost', async ({
  opened: { openWindow, versionsOf, renamed },
}) => {
  const window = openWindow();
  window.losesResponses = true;
  const lost = window.send(1, { Graph: renamed('Collect all'), ChangeDescription: 'First' });
  await expect(lost).rejects.toMatchObject({ status: 0 });
  window.losesResponses = false;
  const next = { Graph: renamed('Collect the rest'), ChangeDescription: 'Second' };
  expect(await window.send(1, next)).toMatchObject({ Version: 3 });
  expect(await versionsOf()).toEqual(['Created from the checklist', 'First', 'Second']);
});

test('a version of somebody else is a conflict', async ({ opened: { openWindow, versionsOf, renamed } }) => {
  await openWindow().send(1, { Graph: renamed('Theirs'), ChangeDescription: 'Theirs' });
  const mine = { Graph: renamed('Mine'), ChangeDescription: 'Mine' };
  await expect(openWindow().send(1, mine)).rejects.toMatchObject({ status: 409 });
  expect(await versionsOf()).toEqual(['Created from the checklist', 'Theirs']);
});

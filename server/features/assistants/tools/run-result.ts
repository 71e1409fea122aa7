/** What assistants learn of a run. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { LogCategory, OUTCOME_TEXT, STATUS_TEXT, isPending } from '#shared/contract/run-status.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { cleanText, visibleText } from '../clean-text.ts';
import { shownOutputs } from './output-schema.ts';
import type { JsonSchema, ObjectSchema } from './input-schema.ts';
import { answer } from './tool.ts';

const MAX_MESSAGES = 50;
const MAX_MESSAGE = 1_000;
const MAX_FILES = 50;

/** The schema of the result, with that of the outputs. */
export const runResultSchema = (outputs: JsonSchema = { type: 'object' }): ObjectSchema & { required: string[] } => ({
  type: 'object',
  properties: {
    run_id: { type: 'integer', description: 'Pass it to get_run' },
    activity: { type: 'string' },
    status: { type: 'string', description: `One of ${Object.keys(STATUS_TEXT).join(', ')}` },
    has_ended: { type: 'boolean', description: 'False while the run continues: call get_run later' },
    message: { type: 'string' },
    outputs,
    shortened: {
      type: 'object',
      description: 'Outputs of which only the first rows are shown, with the number of all rows',
    },
    log: { type: 'array', items: { type: 'object' } },
    files: { type: 'array', items: { type: 'object' } },
    link: { type: ['string', 'null'], description: 'Page of the run in the portal, for the person' },
  },
  required: ['run_id', 'status', 'has_ended'],
});

/** @param note what else the assistant should know; '' for nothing */
export function runResult(run: ActivityRun, address: string | null, note = ''): CallToolResult {
  const hasEnded = !isPending(run.Status);
  const { values, shortened } = shownOutputs(hasEnded ? run.Outputs : []);
  const files = run.StoredFiles.slice(0, MAX_FILES).map(({ FileName, ContentLength, DocumentId }) => ({
    name: cleanText(FileName, 200),
    bytes: ContentLength,
    link: address === null ? null : `${address}documents/${encodeURIComponent(DocumentId)}`,
  }));
  const link = address === null ? null : `${address}activities/runstatus/${run.Id}/`;
  const message = note || (OUTCOME_TEXT[run.Status] ?? 'The run has not ended. Call get_run with its run_id.');
  const content = {
    run_id: run.Id,
    activity: cleanText(run.Name, 100),
    status: run.Status,
    has_ended: hasEnded,
    message,
    outputs: values,
    ...(Object.keys(shortened).length === 0 ? {} : { shortened }),
    log: messagesOf(run),
    files,
    link,
  };
  return answer(content, linksOf(link, files));
}

/** Warnings and errors come first, because there may be too many messages. */
function messagesOf({ LogEntries }: ActivityRun): { level: string; text: string }[] {
  const sorted = [...LogEntries].sort((a, b) => b.Category - a.Category || a.Id - b.Id);
  return sorted.slice(0, MAX_MESSAGES).map(({ Category, Message }) => ({
    level: Category >= LogCategory.Error ? 'error' : Category === LogCategory.Warning ? 'warning' : 'information',
    text: visibleText(Message).slice(0, MAX_MESSAGE),
  }));
}

/** Links that programs show to the person, who opens them signed in. */
function linksOf(
  link: string | null,
  files: readonly { name: string; link: string | null }[],
): CallToolResult['content'] {
  if (link === null) return [];
  return [
    { type: 'resource_link', uri: link, name: 'Run in the portal' },
    ...files.map((file) => ({ type: 'resource_link' as const, uri: file.link!, name: file.name })),
  ];
}

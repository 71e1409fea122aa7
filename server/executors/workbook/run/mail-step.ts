/** The Mail step: sends results of the workbook to people. */
import type { OutputDefinition, StepDefinition } from '#server/executors/activity-definition.ts';
import { sameName } from '../definitions/parameters.ts';
import { attachedNames, isAddressText, WORKBOOK } from '../definitions/step-mail.ts';
import { rangeWorkbook } from '../export/range-workbook.ts';
import { safeFileName } from '#server/executors/file-name.ts';
import type { StepContext } from './step-context.ts';
import { cellsOf, messageOf, textOfOption, textOfValue } from './step-context.ts';

interface Attachment {
  FileName: string;
  bytes: Uint8Array;
}

export async function runMail(context: StepContext, step: StepDefinition): Promise<void> {
  const attachments: Attachment[] = [];
  for (const name of attachedNames(step.options['Attach'])) {
    attachments.push(...(await attached(context, step, name)));
  }
  const { recipients } = await context.services.sendMail({
    step: step.Step,
    to: addressesOf(context, step, 'To'),
    cc: addressesOf(context, step, 'Cc'),
    subject: textOfOption(context, step, 'Subject'),
    text: messageOf(context, step),
    attachments,
  });
  const files = attachments.length === 0 ? '' : ` with ${attachments.map(({ FileName }) => FileName).join(', ')}`;
  context.log.done(
    `Step '${step.Step}': the mail${files} was sent to ${recipients} ${recipients === 1 ? 'recipient' : 'recipients'}`,
  );
}

/** Returns addresses as written or as a formula returns them; otherwise the texts of the named cells. */
function addressesOf(context: StepContext, step: StepDefinition, column: 'To' | 'Cc'): string {
  const text = textOfOption(context, step, column);
  if (text === '' || isAddressText(text) || step.options[`${column}Cell`] !== undefined) return text;
  return cellsOf(context, step, text).values.flat().map(textOfValue).join(';');
}

async function attached(context: StepContext, step: StepDefinition, name: string): Promise<Attachment[]> {
  const { definition, exported, log } = context;
  const exportedByStep = exported.filter((file) => file.step.toLowerCase() === name.toLowerCase());
  const output = definition.outputs.find(({ Name }) => sameName(Name, name, 'output'));
  const ofOutput = output ? exported.filter((file) => file.Name === output.Name) : [];
  if (exportedByStep.length + ofOutput.length > 0) return exportedByStep.length > 0 ? exportedByStep : ofOutput;
  if (name.toLowerCase() === WORKBOOK) return [await context.calculatedWorkbook()];
  const input = definition.inputs.find(({ Name }) => sameName(Name, name, 'input'));
  const isExport = definition.steps.some(({ Step, Action }) => Action === 'Export' && sameStep(Step, name));
  if (isExport || output?.Info.CellUsages[0] === 'FilePath') {
    log.done(`Step '${step.Step}': '${name}' has made no file, so that the mail goes without it`);
    return [];
  }
  if (output) return [await outputWorkbook(context, output)];
  if (!input) throw log.setupError(`Step '${step.Step}': there is nothing named '${name}' to attach`);
  const files = context.filesOf(input.Name);
  // Read the file again each time: an import may have taken the same bytes, or may still need them.
  return Promise.all(files.map(async (file) => ({ FileName: safeFileName(file.FileName), bytes: await file.read() })));
}

const sameStep = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

async function outputWorkbook(context: StepContext, output: OutputDefinition): Promise<Attachment> {
  const { sheet, block, table } = output.location;
  const now = context.calculation.now(sheet, block);
  const bytes = await rangeWorkbook(context, {
    sheet,
    block: now,
    headers: table === undefined ? [] : output.Info.ColumnHeaderValues,
    title: output.Name,
  });
  return { FileName: safeFileName(`${output.Name}.xlsx`), bytes };
}

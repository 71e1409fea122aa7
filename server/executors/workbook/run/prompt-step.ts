/** The Prompt step: asks the user who started the run, and writes the answer into a cell. */
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import type { StepDefinition } from '#server/executors/activity-definition.ts';
import type { PromptType } from '#server/executors/step-services.ts';
import { parseNumber } from '#shared/codecs/number-text.ts';
import { dateFormatOf, type DateKind } from '#shared/codecs/date-format.ts';
import { readDate } from '#shared/codecs/read-date.ts';
import { to1904 } from '#shared/codecs/date-systems.ts';
import { parseSerialDate } from '#shared/codecs/serial-date.ts';
import type { CellUsage } from '#shared/contract/parameters.ts';
import { promptMinutes } from '../definitions/step-prompt.ts';
import { answerKind } from '../definitions/step-guesses.ts';
import { LogCode } from '#shared/rules/log-codes.ts';
import { blockOf, messageOf } from './step-context.ts';
import type { StepContext } from './step-context.ts';

/** Maximum length of a cell's text. Source: Excel, 'Specifications and limits'. */
const MAX_TEXT_LENGTH = 32_767;

export async function runPrompt(context: StepContext, step: StepDefinition): Promise<void> {
  const { log, calculation, services, view } = context;
  const { sheet, block, saved } = blockOf(context, step, step.options['Cell']!);
  const cell = { sheet, row: block.top, col: block.left };
  const { usage } = answerKind(calculation.model, view, sheet, { row: saved.top, col: saved.left });
  const type: PromptType = step.options['Type']?.toLowerCase() === 'masked' ? 'Masked' : 'Text';
  const asked = messageOf(context, step);
  const end = performance.now() + promptMinutes(step.options['Minutes']) * 60_000;
  for (let message = asked; ;) {
    const seconds = (end - performance.now()) / 1000;
    const answer = seconds > 0 ? await services.prompt({ message, type, seconds }) : null;
    if (answer === null) throw log.refusal(`Step '${step.Step}': nobody answered in time`, LogCode.PromptExpired);
    const value = parseAnswer(
      answer.value,
      usage,
      view.cell(sheet, saved.top, saved.left).format,
      calculation.model.date1904,
    );
    if (typeof value === 'object' && value !== null) {
      message = `${value.problem} ${asked}`;
      continue;
    }
    if (type === 'Masked') context.masked.push({ sheet, block: saved, value });
    calculation.write([{ ...cell, value }]);
    log.done(`Step '${step.Step}': answered`);
    return;
  }
}

const ANSWERS: Record<DateKind, string> = {
  date: 'date, such as 31/Dec/2026',
  dateTime: 'date and time, such as 31/Dec/2026 21:30',
  time: 'time of day, such as 21:30',
  duration: 'duration, such as 37:30',
  any: 'date, such as 31/Dec/2026',
};

/** The message never repeats the answer, because it may be a secret. */
function parseAnswer(
  text: string,
  usage: CellUsage,
  format: string,
  date1904: boolean,
): Exclude<CellValue, object> | { problem: string } {
  switch (usage) {
    case 'Number':
      return parseNumber(text) ?? { problem: 'Please answer with a number.' };
    case 'Date': {
      const serial = parseSerialDate(text) ?? readDate(text, { format })?.value ?? null;
      if (serial === null) return { problem: `Please answer with a ${ANSWERS[dateFormatOf(format).kind]}.` };
      return date1904 ? to1904(serial, format) : serial;
    }
    case 'Boolean':
      if (/^(true|yes|y|1)$/i.test(text.trim())) return true;
      return /^(false|no|n|0)$/i.test(text.trim()) ? false : { problem: 'Please answer with TRUE or FALSE.' };
    default:
      return text.length <= MAX_TEXT_LENGTH ? text : { problem: 'The answer is too long for a cell.' };
  }
}

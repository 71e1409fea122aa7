/** Checks the Mail step of the Portal sheet. */
import { parseAddresses } from '#server/mail/mail-addresses.ts';
import { sameName } from './parameters.ts';
import { textOf } from './portal-tables.ts';
import { checkArea } from './step-scope.ts';
import type { StepScope } from './step-scope.ts';

/** The name in Attach that stands for the calculated workbook. */
export const WORKBOOK = 'workbook';

export const isAddressText = (text: string): boolean => text.includes('@');

/** Splits the names of a step's Attach column. */
export function attachedNames(text: string | undefined): string[] {
  return (text ?? '')
    .split(';')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

export function checkMail(scope: StepScope): void {
  const { capabilities, reader, options } = scope;
  if (!capabilities.mail)
    reader.addProblem(
      'Action',
      `The step '${scope.step}' sends email, but this server is not set up to send email.`,
      NO_MAIL,
    );
  for (const column of ['To', 'Cc']) checkAddresses(scope, column);
  for (const name of attachedNames(options['Attach'])) checkAttached(scope, name);
}

const NO_MAIL = 'Ask an administrator to configure a mail server, or delete the step.';

function checkAddresses(scope: StepScope, column: string): void {
  const { row, reader, options } = scope;
  const text = textOf(row, column);
  // A formula is evaluated when the step runs, so it is not checked here.
  if (text === '' || options[`${column}Cell`] !== undefined) return;
  if (!isAddressText(text)) {
    checkArea(scope, column);
    return;
  }
  const { wrong } = parseAddresses(text);
  if (wrong.length > 0)
    reader.addProblem(
      column,
      `'${wrong[0]}' is not a valid email address.`,
      'Enter addresses separated by semicolons, or enter cells.',
    );
}

function checkAttached({ row, rows, inputs, outputs, reader, step }: StepScope, name: string): void {
  if (name.toLowerCase() === WORKBOOK) return;
  const before = rows.slice(0, rows.indexOf(row));
  const isExport = before.some(
    (other) =>
      textOf(other, 'Action').toLowerCase() === 'export' && textOf(other, 'Step').toLowerCase() === name.toLowerCase(),
  );
  if (isExport) return;
  const output = outputs.find((draft) => sameName(draft.name, name, 'output'));
  const isKnown = output !== undefined || inputs.some((draft) => sameName(draft.name, name, 'input'));
  if (!isKnown)
    reader.addProblem(
      'Attach',
      `The step '${step}' attaches '${name}', which is not an earlier Export step, an output, or an input with files.`,
      'Enter names separated by semicolons; Workbook stands for the calculated workbook.',
    );
}

import { Button, InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { ArrowDown, ArrowUp } from '@blueprintjs/icons';
import { CHECKLIST_INPUT_NAME_MAX, isSameInputName } from '#shared/rules/checklist-rules.ts';
import { typeText } from '#renderer/features/checklists/input-type.ts';
import { said, t } from '#renderer/language/translate.ts';
import { longTextIssue } from '#renderer/ui/long-text.ts';
import { AddInput, InputDefault } from './InputDefault.tsx';
import { inputShape } from './offered-sources.ts';
import type { WorkflowDraft } from './use-workflow-draft.ts';
import { moveInput, renameInput } from './workflow-draft.ts';

export const INPUTS_HEADING = 'workflow-inputs-heading';

/** The inputs that are asked for when the workflow starts, with their names and order. */
export function WorkflowInputs({ draft, isReadOnly }: { draft: WorkflowDraft; isReadOnly: boolean }) {
  const { graph, activities, change } = draft;
  return (
    <section className="rs-workflow-asked-box" aria-label={t('Inputs of the workflow')}>
      <h2 id={INPUTS_HEADING} tabIndex={-1}>
        {t('Inputs of the workflow')}
      </h2>
      {graph.Inputs.length === 0 && (
        <p className="rs-muted">
          {t('The workflow asks for no inputs yet. To ask for one, map an input of a step to a new input.')}
        </p>
      )}
      <ol className="rs-workflow-asked">
        {graph.Inputs.map(({ Name }, index) => {
          const shape = inputShape(graph, Name, activities);
          return (
            <li key={index}>
              <InputName
                label={t('Name of input {index}', { index: index + 1 })}
                name={Name}
                others={graph.Inputs.filter((_, other) => other !== index).map((other) => other.Name)}
                isReadOnly={isReadOnly}
                onRename={(name) => change((before) => renameInput(before, index, name))}
              />
              <span className="rs-muted">{shape && typeText(shape)}</span>
              {!isReadOnly && (
                <span className="rs-nowrap">
                  <Button
                    variant="minimal"
                    icon={<ArrowUp />}
                    aria-label={t('Move input {name} up', { name: Name })}
                    disabled={index === 0}
                    onClick={() => change((before) => moveInput(before, index, -1))}
                  />
                  <Button
                    variant="minimal"
                    icon={<ArrowDown />}
                    aria-label={t('Move input {name} down', { name: Name })}
                    disabled={index === graph.Inputs.length - 1}
                    onClick={() => change((before) => moveInput(before, index, 1))}
                  />
                </span>
              )}
              <InputDefault draft={draft} index={index} isReadOnly={isReadOnly} />
            </li>
          );
        })}
      </ol>
      {!isReadOnly && <AddInput draft={draft} />}
    </section>
  );
}

interface InputNameProps {
  label: string;
  name: string;
  others: readonly string[];
  isReadOnly: boolean;
  onRename: (name: string) => void;
}

/**
 * Renames an input only after typing has ended. A partial name may be the name of another input, whose values it would
 * take over.
 */
function InputName({ label, name, others, isReadOnly, onRename }: InputNameProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const wanted = (typed ?? name).trim();
  const issue =
    wanted === ''
      ? t('An input must have a name')
      : others.some((other) => isSameInputName(other, wanted))
        ? t("An input '{wanted}' already exists", { wanted })
        : longTextIssue(wanted, CHECKLIST_INPUT_NAME_MAX);
  const commit = (): void => {
    if (typed === null || issue !== null) return;
    setTyped(null);
    if (wanted !== name) onRename(wanted);
  };
  const leave = (): void => {
    if (issue === null) commit();
    else if (wanted.length <= CHECKLIST_INPUT_NAME_MAX) setTyped(null);
  };
  return (
    <>
      <InputGroup
        aria-label={label}
        aria-invalid={issue !== null}
        value={typed ?? name}
        intent={issue === null ? 'none' : 'danger'}
        disabled={isReadOnly}
        onValueChange={setTyped}
        onBlur={leave}
        onKeyDown={({ key }) => {
          if (key === 'Enter') commit();
          if (key === 'Escape') setTyped(null);
        }}
      />
      {typed !== null && issue !== null && (
        <span className="rs-field-error" role="status">
          {said(issue)}
        </span>
      )}
    </>
  );
}
